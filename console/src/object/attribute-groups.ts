/** Groups of product attributes: the headings of pages and lists, in the content language. */
import type { AttrGroup, Infer } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useClient, useMay } from './client.tsx'
import { nameIn } from './items.ts'
import { useContentLocale } from './locales.ts'
import { modelKey } from './model.ts'

export type GroupMessage = Infer<typeof AttrGroup>

export interface AttributeGroup {
  readonly tid: string
  readonly label: string
  /** The tids of its attributes, in their order. */
  readonly members: readonly string[]
  readonly message: GroupMessage
}

export const toGroup = (message: GroupMessage, locale: string): AttributeGroup => ({
  tid: message.tid ?? '',
  label: nameIn(message.name, locale) || (message.tid ?? ''),
  members: (message.references?.itm ?? []).flatMap(({ value }) => value ?? []),
  message,
})

/** All groups, in their order; none for users who may not read them. */
export function useAttributeGroups(): readonly AttributeGroup[] {
  const { pim } = useClient()
  const [locale] = useContentLocale()
  const { data } = useQuery({
    queryKey: [...modelKey, 'groups'],
    queryFn: () => pim['attribute-groups'].retrieve({}),
    staleTime: 60_000,
    enabled: useMay()('read', 'attrGroup'),
  })
  return useMemo(() => (data ?? []).map((one) => toGroup(one, locale)), [data, locale])
}

interface Option {
  readonly value: string
  readonly label: string
}

/** Attributes by group, in the order of groups and of their attributes; those without a group are last. */
export function inGroups<T extends { readonly key: string }>(
  groups: readonly AttributeGroup[],
  attributes: Iterable<T>,
): { readonly grouped: readonly (readonly [AttributeGroup, readonly T[]])[]; readonly others: readonly T[] } {
  const left = new Map([...attributes].map((one) => [one.key, one]))
  const grouped = groups.flatMap((group) => {
    const members = group.members.flatMap((key) => left.get(key) ?? [])
    for (const { key } of members) left.delete(key)
    return members.length > 0 ? [[group, members] as const] : []
  })
  return { grouped, others: [...left.values()] }
}

/** The options of a field in which attributes are chosen, under the headings of their groups. */
export function useAttributeOptions<T extends { readonly key: string; readonly label: string }>(
  attributes: Iterable<T>,
  labelOf: (attribute: T) => string = ({ label }) => label,
): ({ readonly group: string; readonly items: Option[] } | Option)[] {
  const { grouped, others } = inGroups(useAttributeGroups(), attributes)
  const toOption = (attribute: T): Option => ({ value: attribute.key, label: labelOf(attribute) })
  return [...grouped.map(([{ label }, members]) => ({ group: label, items: members.map(toOption) })), ...others.map(toOption)] // prettier-ignore
}
