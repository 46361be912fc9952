/** Permissions in words: one sentence for all grants with the same actions and limits. */
import { List, Text } from '@mantine/core'
import type { AttributeRule, Infer } from '@kontor/contract'
import { useNames } from '../../object/picker.tsx'
import { useTexts } from '../../ui/language.tsx'
import type { Grant } from './blocks.ts'
import { grantTexts } from './grant-texts.ts'
import { trees } from './scopes.ts'

type Rule = Infer<typeof AttributeRule>
type Word = keyof typeof grantTexts.en & string

/** The words for a list of actions and for a kind. */
export function useGrantWords() {
  const g = useTexts(grantTexts)
  const known = (name: string) => (Object.hasOwn(grantTexts.en, name) ? g(name as Word) : name)
  return {
    actions: (actions: readonly string[]) =>
      actions.includes('*')
        ? g('allActions')
        : actions.map((action) => (action === 'link' ? g('linkAction') : known(action))).join(', '),
    kind: (kind: string) => known(kind),
  }
}

/** A sentence per set of grants that differ only in their kinds. */
function joined(grants: readonly Grant[]): (Omit<Grant, 'kind'> & { kinds: string[] })[] {
  const groups = Map.groupBy(grants, (grant) => JSON.stringify({ ...grant, kind: undefined }))
  return [...groups.values()].map((group) => {
    const { kind: _, ...rest } = group[0]!
    return { ...rest, kinds: [...new Set(group.map(({ kind }) => kind))] }
  })
}

export function GrantWords({ grants }: { grants: readonly Grant[] }) {
  const g = useTexts(grantTexts)
  const words = useGrantWords()
  const sentence = useSentence(grants)
  if (grants.length === 0) return <Text size="sm">{g('nothingAllowed')}</Text>
  return (
    <List size="sm" spacing={4}>
      {joined(grants).map(({ kinds, actions, ...limits }, index) => (
        <List.Item key={index}>
          {[
            g('may', { actions: words.actions(actions), kinds: kinds.map(words.kind).join(', ') }),
            ...sentence(limits),
          ].join('; ')}
        </List.Item>
      ))}
    </List>
  )
}

const rules = [
  ['visibleAttributes', 'sees'],
  ['editableAttributes', 'changes'],
  ['visibleLocales', 'seesLanguages'],
  ['editableLocales', 'changesLanguages'],
] as const

/** The limits of a grant, with names instead of paths and ids. */
function useSentence(grants: readonly Grant[]): (limits: Omit<Grant, 'kind' | 'actions'>) => string[] {
  const g = useTexts(grantTexts)
  const namesIn = (rule: Rule | undefined) => [...(rule?.only ?? []), ...(rule?.except ?? [])]
  const category = useNames(
    'category',
    grants.flatMap(({ scopes }) => scopes?.node ?? []),
  )
  const attribute = useNames('anyAttribute', grants.flatMap((grant) => [...namesIn(grant.visibleAttributes), ...namesIn(grant.editableAttributes)])) // prettier-ignore
  const groupsIn = (rule: Rule | undefined) => [...(rule?.onlyGroups ?? []), ...(rule?.exceptGroups ?? [])]
  const group = useNames('attributeGroup', grants.flatMap((grant) => [...groupsIn(grant.visibleAttributes), ...groupsIn(grant.editableAttributes)])) // prettier-ignore
  const locale = useNames('locale', grants.flatMap((grant) => [...namesIn(grant.visibleLocales), ...namesIn(grant.editableLocales)])) // prettier-ignore
  const listOf = (names: readonly string[], nameOf: (name: string) => string) =>
    names.length > 0 ? names.map(nameOf).join(', ') : g('noNames')
  const ruleOf = (rule: Rule, nameOf: (name: string) => string) =>
    g((rule.only ?? rule.onlyGroups) ? 'onlyNames' : 'exceptNames', {
      names: listOf(
        [...namesIn(rule).map(nameOf), ...groupsIn(rule).map((tid) => g('theGroup', { name: group(tid) }))],
        (name) => name,
      ),
    })
  return (limits) => [
    ...trees.flatMap((tree) => {
      const paths = limits.scopes?.[tree]
      const nameOf = tree === 'node' ? category : (path: string) => path
      return paths ? [g('sentenceIn', { places: listOf(paths, nameOf) })] : []
    }),
    ...rules.flatMap(([field, word]) => {
      const rule = limits[field]
      const nameOf = field.endsWith('Locales') ? locale : attribute
      return rule ? [g(word, { names: ruleOf(rule, nameOf) })] : []
    }),
  ]
}
