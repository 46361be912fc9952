/** The home page: open tasks, completeness of channels, running jobs and recent edits. Every number is a link. */
import { Grid } from '@mantine/core'
import { useClient, useMe } from '../../object/client.tsx'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../ui/language.tsx'
import { Page } from '../../ui/page.tsx'
import { Channels } from './channels.tsx'
import { FirstSteps } from './first-steps.tsx'
import { Numbers } from './numbers.tsx'
import { Recent } from './recent.tsx'
import { Running } from './running.tsx'
import { MyTasks } from './tasks.tsx'
import { texts } from './texts.ts'

export function HomePage() {
  const t = useTexts(texts)
  const { pim } = useClient()
  const { name = '', displayName = name } = useMe()
  const products = useQuery({
    queryKey: ['products', 'list', 'recent'],
    queryFn: () => pim.pageProducts({ body: { sort: 'modified', descending: true, count: 8 } }),
  })
  return (
    <Page title={t('title')} subtitle={t('hello', { name: displayName })}>
      <Numbers products={products.data?.total} />
      {products.data?.total === 0 && <FirstSteps />}
      <Grid mt="md" gap="md">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Channels />
          <Recent rows={products.data?.products} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <MyTasks />
          <Running />
        </Grid.Col>
      </Grid>
    </Page>
  )
}
