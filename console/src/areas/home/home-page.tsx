/** The home page: key figures, and widgets that each user chooses. Every number is a link. */
import { Button, Skeleton } from '@mantine/core'
import { IconLayoutDashboard } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useMe } from '../../object/client.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Page } from '../../ui/page.tsx'
import { Customize } from './customize.tsx'
import { FirstSteps } from './first-steps.tsx'
import { Numbers } from './numbers.tsx'
import { useRecentProducts } from './recent.tsx'
import { texts } from './texts.ts'
import { chosenWidgets, widgets } from './widgets.ts'
import classes from './home.module.css'

export function HomePage() {
  const t = useTexts(texts)
  const { name = '', displayName = name, homeWidgets } = useMe()
  const [isCustomizing, setCustomizing] = useState(false)
  const { data: products } = useRecentProducts()
  const customize = (
    <Button variant="default" leftSection={<IconLayoutDashboard size={16} />} onClick={() => setCustomizing(true)}>
      {t('customize')}
    </Button>
  )
  return (
    <Page title={t('title')} subtitle={t('hello', { name: displayName })} actions={customize}>
      <Numbers products={products?.total} />
      {products?.total === 0 && <FirstSteps />}
      <div className={classes.widgets}>
        {chosenWidgets(homeWidgets).map((name) => {
          const { component: Widget } = widgets[name]
          return (
            <Suspense key={name} fallback={<Skeleton height={180} radius="md" />}>
              <Widget />
            </Suspense>
          )
        })}
      </div>
      {isCustomizing && <Customize onClose={() => setCustomizing(false)} />}
    </Page>
  )
}
