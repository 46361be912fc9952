/** The objects of a process or a task in one line: picture and names. */
import { Group, Text } from '@mantine/core'
import { Thumbnail, usePictures } from '../pictures.tsx'
import { useTexts } from '../../ui/language.tsx'
import { type Linked, type Named, useLinked } from './linked.ts'
import { texts } from './texts.ts'

interface About {
  readonly linkedObjects?: readonly Linked[] | undefined
}
/** The objects of a row that are named; the others are counted. */
const mostNamed = 2

/** Names and pictures for the rows of a list. */
export function useSubjects(rows: readonly About[]) {
  const t = useTexts(texts)
  const nameOf = useLinked(rows.flatMap(({ linkedObjects = [] }) => linkedObjects.slice(0, mostNamed)))
  const pictureOf = (about: About) => (about.linkedObjects?.[0] && nameOf(about.linkedObjects[0]))?.picture
  const pictures = usePictures(inGroups(rows.flatMap((row) => pictureOf(row) ?? [])))
  const textOf = (about: About) => subjectText(about, nameOf, (count) => t('others', { count }))
  return {
    nameOf,
    textOf,
    show(about: About) {
      const picture = pictureOf(about)
      return (
        <Group gap="xs" wrap="nowrap" miw={0}>
          {(about.linkedObjects?.length ?? 0) > 0 && (
            <Thumbnail picture={picture ? pictures.get(picture) : undefined} size={32} />
          )}
          <Text span size="sm" truncate>
            {textOf(about)}
          </Text>
        </Group>
      )
    },
  }
}

function subjectText({ linkedObjects = [] }: About, nameOf: Named, others: (count: number) => string): string {
  const names = linkedObjects.slice(0, mostNamed).map((one) => nameOf(one)?.label ?? one.tid ?? '')
  const rest = linkedObjects.length - names.length
  return [...names, ...(rest > 0 ? [others(rest)] : [])].filter(Boolean).join(', ')
}

function inGroups(tids: readonly string[]): string[][] {
  const distinct = [...new Set(tids)].sort()
  return Array.from({ length: Math.ceil(distinct.length / 100) }, (_, i) => distinct.slice(i * 100, (i + 1) * 100))
}
