/** Recently edited products. */
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useClient } from '../../object/client.tsx'
import { Thumbnail, usePictures } from '../../object/pictures.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loading } from '../../ui/states.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { Panel } from './panel.tsx'
import { texts } from './texts.ts'
import classes from './home.module.css'

/** The products that were edited last, and the number of all products. */
export function useRecentProducts() {
  const { pim } = useClient()
  return useQuery({
    queryKey: ['products', 'list', 'recent'],
    queryFn: () => pim.pageProducts({ body: { sort: 'modified', descending: true, count: 8 } }),
  })
}

export function Recent() {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const format = useFormat()
  const { data } = useRecentProducts()
  const rows = data && (data.products ?? [])
  const pictures = usePictures([rows?.flatMap(({ picture }) => picture ?? []) ?? []])
  return (
    <Panel title={t('recent')} to="/products">
      {!rows ? <Loading /> : rows.length === 0 && <Text c="dimmed">{t('noRecent')}</Text>}
      {rows?.map(({ tid = '', name, picture, modifiedAt = '', modifiedBy }) => (
        <Link key={tid} to="/products/$tid" params={{ tid }} className={classes.row}>
          <Thumbnail picture={picture ? pictures.get(picture) : undefined} />
          <Text size="sm" fw={550} truncate flex={1}>
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            {format.ago(modifiedAt)} {word('by')} {modifiedBy}
          </Text>
        </Link>
      ))}
    </Panel>
  )
}
