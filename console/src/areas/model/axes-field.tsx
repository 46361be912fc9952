/** The variation axes of a category: the attributes with a list of values that span its articles and variations. */
import { Group, MultiSelect } from '@mantine/core'
import { maxAxes } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { modelKey, type TreeNode, useAttributes } from '../../object/model.ts'
import { useTexts } from '../../ui/language.tsx'
import { texts } from './texts.ts'
import { useModelChange } from '../../object/model-change.ts'

export function AxesField({ node }: { readonly node: TreeNode }) {
  const t = useTexts(texts)
  const { pim, run, mayNodes } = useModelChange()
  const attributes = useAttributes()
  const nodePath = node.path!
  const { data = {} } = useQuery({
    queryKey: [...modelKey, 'axes', nodePath],
    queryFn: () => pim.retrieveVariationAxes({ body: { nodePath } }),
  })
  const labelOf = (key: string) => attributes.get(key)?.label ?? key
  const possible = [...attributes.values()]
    .filter(({ options, multiple, localized }) => options && !multiple && !localized)
    .map(({ key, label }) => ({ value: key, label }))
  const { articles = [], variations = [] } = data
  const store = (changed: { articles?: string[]; variations?: string[] }) =>
    void run(() => pim.persistVariationAxes({ body: { nodePath, articles, variations, ...changed } }))
  const field = (name: 'articles' | 'variations', inherited: readonly string[] = []) => (
    <MultiSelect
      flex={1}
      label={t(name === 'articles' ? 'articleAxes' : 'variationAxes')}
      description={
        inherited.length > 0 ? t('axesInherited', { names: inherited.map(labelOf).join(' × ') }) : t('axesHint')
      }
      data={possible}
      value={[...(data[name] ?? [])]}
      maxValues={maxAxes}
      disabled={!mayNodes}
      searchable
      onChange={(keys) => store({ [name]: keys })}
    />
  )
  return (
    <Group px="md" pb="md" align="flex-start">
      {field('articles', data.inheritedArticles)}
      {field('variations', data.inheritedVariations)}
    </Group>
  )
}
