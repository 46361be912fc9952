/** The keyword tree. Choosing a keyword lists the assets that have it or one of its descendants. */
import { IconTag } from '@tabler/icons-react'
import { nameIn } from '../../object/items.ts'
import { type KeywordMessage, useKeywordBranches } from '../../object/keyword-branches.ts'
import { useContentLocale } from '../../object/locales.ts'
import { useTexts } from '../../ui/language.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { useOpenKeys } from '../../ui/tree/open-keys.ts'
import { Tree, type TreeItem } from '../../ui/tree/tree.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { texts } from './texts.ts'

export function KeywordTree({ chosen, onChoose }: { chosen: string | undefined; onChoose: (path: string) => void }) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const [locale] = useContentLocale()
  const [open, toggle] = useOpenKeys()
  const { query } = useKeywordBranches(open)
  return (
    <Loaded query={query}>
      {({ childrenOf }) => {
        const toItem = ({ path = '', name }: KeywordMessage): TreeItem => ({
          key: path,
          label: nameIn(name, locale) || path,
          icon: <IconTag size={16} stroke={1.6} />,
          hasChildren: childrenOf(path)?.length !== 0,
        })
        const roots = childrenOf('') ?? []
        if (roots.length === 0) return <Empty icon={IconTag} title={w('nothing')} />
        return (
          <Tree
            label={t('keywords')}
            roots={roots.map(toItem)}
            childrenOf={(path) => childrenOf(path)?.map(toItem)}
            open={open}
            onToggle={toggle}
            chosen={chosen}
            onChoose={onChoose}
          />
        )
      }}
    </Loaded>
  )
}
