/** The keyword tree. Choosing a keyword lists the assets that have it or one of its descendants. */
import { IconTag } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { nameIn } from '../../object/items.ts'
import { useContentLocale } from '../../object/locales.ts'
import { useTexts } from '../../ui/language.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { Tree, type TreeItem } from '../../ui/tree/tree.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { texts } from './texts.ts'

interface Keyword {
  readonly path: string
  readonly label: string
}
const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/'))

export function KeywordTree({ chosen, onChoose }: { chosen: string | undefined; onChoose: (path: string) => void }) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const { common } = useClient()
  const [locale] = useContentLocale()
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const keywords = useQuery({
    queryKey: ['keywords', 'paths', locale],
    queryFn: async (): Promise<Keyword[]> =>
      (await common.keywords.retrieve({ path: '/', level: -1 })).flatMap(({ path, name }) =>
        path ? [{ path, label: nameIn(name, locale) || path }] : [],
      ),
  })
  return (
    <Loaded query={keywords}>
      {(all) => {
        const below = Map.groupBy(all, ({ path }) => parentOf(path))
        const items = (parent: string): TreeItem[] =>
          (below.get(parent) ?? []).map(({ path, label }) => ({
            key: path,
            label,
            icon: <IconTag size={16} stroke={1.6} />,
            hasChildren: below.has(path),
          }))
        if (all.length === 0) return <Empty icon={IconTag} title={w('nothing')} />
        return (
          <Tree
            label={t('keywords')}
            roots={items('')}
            childrenOf={items}
            open={open}
            onToggle={(path, isOpen) => {
              const next = new Set(open)
              if (isOpen) next.add(path)
              else next.delete(path)
              setOpen(next)
            }}
            chosen={chosen}
            onChoose={onChoose}
          />
        )
      }}
    </Loaded>
  )
}
