/**
 * Pictures of assets, marked if their usage rights forbid to use them. URLs are requested in batches and stay the same for a
 * day, so that browsers can cache the files.
 */
import { Box, Image, ThemeIcon } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { useClient } from './client.tsx'
import { fact } from './items.ts'
import { UsageBadge } from './usage-badge.tsx'

export interface Picture {
  readonly name: string
  /** URL by format: thumbnail, preview, fullsize. */
  readonly urls: ReadonlyMap<string, string>
  /** Whether its usage rights allow to use it. */
  readonly usage?: string | undefined
}

type Named = readonly [tid: string, picture: Picture]

/** One query per list, so that a page of rows is one call. */
export function usePictures(lists: readonly (readonly string[])[]): ReadonlyMap<string, Picture> {
  const { dam } = useClient()
  const wanted = lists.map((tids) => [...new Set(tids)]).filter((tids) => tids.length > 0)
  return useQueries({
    combine,
    queries: wanted.map((tids) => ({
      queryKey: ['pictures', tids],
      staleTime: 60_000, // usage rights change
      // previews of a new upload take a moment; some files never get any, so polling ends after ten attempts
      refetchInterval: ({ state }: { state: { data: Named[] | undefined; dataUpdateCount: number } }) =>
        state.dataUpdateCount < 10 && state.data?.some(([, { urls }]) => urls.size === 0) ? 3000 : (false as const),
      queryFn: async () => {
        const { assets } = await dam.retrievePreviews({ body: { tids } })
        return (assets?.asset ?? []).map(({ tid = '', name = '', previews, usageRights }): Named => {
          const urls = (previews?.preview ?? []).flatMap((preview): [string, string][] => {
            const url = fact(preview, 'url')
            return url && preview.type ? [[preview.type, url]] : []
          })
          return [tid, { name, urls: new Map(urls), usage: usageRights?.state }]
        })
      },
    })),
  })
}

export function Thumbnail({
  picture,
  size = 32,
  label = '',
}: {
  picture: Picture | undefined
  size?: number
  label?: string
}) {
  const url = picture?.urls.get(size > 160 ? 'preview' : 'thumbnail')
  return (
    <Box pos="relative" w={size} h={size} flex="none">
      {url ? (
        <Image src={url} alt={label} w={size} h={size} radius="sm" fit="cover" loading="lazy" />
      ) : (
        <ThemeIcon variant="light" color="gray" size={size} radius="sm" aria-hidden>
          <IconPhoto size={size * 0.55} stroke={1.4} />
        </ThemeIcon>
      )}
      <Box pos="absolute" bottom={0} left={0} maw="100%" display="flex">
        <UsageBadge state={picture?.usage} size={size < 160 ? 'xs' : 'sm'} isIcon={size < 100} />
      </Box>
    </Box>
  )
}

/** Outside of the hook, so that its identity is stable and TanStack Query memoises its result. */
const combine = (results: readonly { data?: readonly Named[] | undefined }[]) =>
  new Map(results.flatMap(({ data }) => data ?? []))
