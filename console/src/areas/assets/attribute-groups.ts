/** Groups of the attributes that every installation has; attributes of your own are in the last group. */
const attributeGroups = {
  description: ['TITLE', 'DESCRIPTION', 'CAPTION', 'ALT_TEXT', 'TAGS', 'IS_FINAL'],
  rights: ['AUTHOR', 'CREDIT', 'SOURCE', 'COPYRIGHT', 'LICENSE', 'LICENSE_EXPIRES', 'USAGE_TERMS'],
  technical: ['TAKEN_AT', 'CITY', 'COUNTRY', 'LATITUDE', 'LONGITUDE', 'CAMERA', 'LENS', 'COLORS', 'DURATION', 'PAGES'],
  other: [],
} as const satisfies Record<string, readonly string[]>
type GroupName = keyof typeof attributeGroups

const groupByKey: ReadonlyMap<string, GroupName> = new Map(
  (Object.keys(attributeGroups) as GroupName[]).flatMap((name) => attributeGroups[name].map((key) => [key, name])),
)
export const groupOf = (key: string): GroupName => groupByKey.get(key) ?? 'other'

/** The groups that have attributes, each in the order of its list. */
export function inGroups<A extends { readonly key: string }>(attributes: readonly A[]): [GroupName, A[]][] {
  const found = Map.groupBy(attributes, ({ key }) => groupOf(key))
  return (Object.keys(attributeGroups) as GroupName[]).flatMap((name): [GroupName, A[]][] => {
    const order: readonly string[] = attributeGroups[name]
    const members = found.get(name)?.toSorted((a, b) => order.indexOf(a.key) - order.indexOf(b.key))
    return members ? [[name, members]] : []
  })
}
