/** The completeness of products in a locale: one call for a page of products, drawn as a small bar. */
import { Group, Progress, Text, Tooltip } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useClient } from './client.tsx'

export interface Completeness {
  readonly percent: number
  readonly required: number
  readonly missing: number
}

export function useCompleteness(
  lists: readonly (readonly string[])[],
  locale: string,
): ReadonlyMap<string, Completeness> {
  const { cm } = useClient()
  return useQueries({
    combine,
    queries: lists
      .filter((tids) => tids.length > 0)
      .map((tids) => ({
        queryKey: ['completeness', locale, tids],
        queryFn: async () => {
          const { objects = [] } = await cm.retrieveReadiness({ body: { productTids: [...tids], locales: [locale] } })
          return objects.map(({ tid = '', locales: [one] = [] }) => {
            const { percent = 100, required = 0, missing = 0 } = one ?? {}
            return [tid, { percent, required, missing }] as const
          })
        },
      })),
  })
}

export function CompletenessBar({ value }: { value: Completeness | undefined }) {
  if (!value) return null
  const { percent, required, missing } = value
  if (required === 0)
    return (
      <Text size="xs" c="dimmed">
        –
      </Text>
    )
  return (
    <Tooltip label={`${required - missing} / ${required}`}>
      <Group gap={8} wrap="nowrap" w="100%">
        <Progress
          value={percent}
          size="sm"
          flex={1}
          color={percent === 100 ? 'teal.6' : percent >= 60 ? 'harbour' : 'amber.5'}
          aria-label={`${percent} %`}
        />
        <Text size="xs" c="dimmed" w={34} ta="right">
          {percent}%
        </Text>
      </Group>
    </Tooltip>
  )
}

/** Outside of the hook, so that its identity is stable and TanStack Query memoises its result. */
const combine = (results: readonly { data?: readonly (readonly [string, Completeness])[] | undefined }[]) =>
  new Map(results.flatMap(({ data }) => data ?? []))
