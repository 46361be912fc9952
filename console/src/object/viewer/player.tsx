/**
 * Plays a film or a sound. If browsers do not play the file, the server prepares a copy first, and its progress is shown.
 * The picture of a film can be chosen from it, and saved.
 */
import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import type { Infer, Media } from '@kontor/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
import { commonTexts } from '../../ui/common-texts.ts'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone, notifyFailed } from '../../ui/notifications.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { Loading } from '../../ui/states.tsx'
import { useClient, useMayAt } from '../client.tsx'
import { fact, toItems } from '../items.ts'
import { accepted } from '../records.ts'
import { type AssetMessage, pictureOf } from './asset.ts'
import { playerTexts } from './player-texts.ts'
import classes from './viewer.module.css'

type Playing = Infer<typeof Media>

const isPending = (media: Playing | null | undefined) => media?.state === 'waiting' || media?.state === 'running'

export function Player({ asset }: { asset: AssetMessage }) {
  const t = useTexts(playerTexts)
  const { dam } = useClient()
  const { tid = '', name = '', type } = asset
  const film = useRef<HTMLVideoElement>(null)
  const picture = pictureOf(asset, 'fullsize') ?? pictureOf(asset, 'preview')
  const media = useQuery({
    queryKey: ['assets', 'media', tid],
    queryFn: async () => (await dam.retrieveMedia({ body: { tids: [tid] } })).media?.[0] ?? null,
    refetchInterval: ({ state }) => (isPending(state.data) ? 1000 : false),
    staleTime: 600_000,
  })
  if (media.isPending) return <Loading shape="picture" />
  if (!media.data?.url)
    return (
      <Stack className={classes.player} align="center" justify="center">
        {picture && <img className={classes.image} src={picture} alt={name} />}
        {media.data ? (
          <State media={media.data} />
        ) : (
          <Alert>{t('failed', { reason: media.error?.message ?? '' })}</Alert>
        )}
      </Stack>
    )
  if (type === 'AUD') return <Sound media={media.data} name={name} />
  return (
    <Stack className={classes.player} gap="xs">
      <video
        ref={film}
        className={classes.media}
        src={media.data.url}
        controls
        preload="metadata"
        poster={picture}
        aria-label={name}
      />
      <Moments asset={asset} film={film} />
    </Stack>
  )
}

function State({ media }: { media: Playing }) {
  const t = useTexts(playerTexts)
  const w = useTexts(commonTexts)
  const { dam } = useClient()
  const queries = useQueryClient()
  const again = useMutation({
    mutationFn: () => dam.retrieveMedia({ body: { tids: [media.tid], again: true } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['assets', 'media', media.tid] }),
    onError: (error) => notifyFailed(w('failed'), error),
  })
  if (isPending(media)) {
    const text = media.state === 'running' ? t('running', { percent: media.progress ?? 0 }) : t('waiting')
    return (
      <Stack w="min(100%, 24rem)" gap={6} role="status">
        <Text size="sm">{text}</Text>
        <Progress value={media.progress ?? 0} animated aria-label={text} />
      </Stack>
    )
  }
  return (
    <Alert>
      <Group>
        {t('failed', { reason: media.note ?? '' })}
        {media.state === 'failed' && (
          <Button variant="default" size="xs" loading={again.isPending} onClick={() => again.mutate()}>
            {w('retry')}
          </Button>
        )}
      </Group>
    </Alert>
  )
}

/** The moment at which the film stands, as the picture of the file or as a download. */
function Moments({ asset, film }: { asset: AssetMessage; film: RefObject<HTMLVideoElement | null> }) {
  const t = useTexts(playerTexts)
  const w = useTexts(commonTexts)
  const { dam } = useClient()
  const queries = useQueryClient()
  const { tid = '', path = '', name = '' } = asset
  const may = useMayAt('asset', 'dir', path.slice(0, path.lastIndexOf('/')))
  const second = () => (Math.round((film.current?.currentTime ?? 0) * 1000) / 1000).toString()
  const choose = useMutation({
    mutationFn: (posterTime: string) => accepted(dam.assets.persist([{ tid, meta: { itm: toItems({ posterTime }) } }])),
    onSuccess: async (_, posterTime) => {
      notifyDone(posterTime === '' ? t('posterRemoved') : t('posterStored', { second: posterTime }))
      await queries.invalidateQueries({ queryKey: ['assets'] })
    },
    onError: (error) => notifyFailed(w('failed'), error),
  })
  const save = useMutation({
    mutationFn: async (at: string) => {
      const pieces: Uint8Array<ArrayBuffer>[] = []
      for await (const piece of await dam.rendition({ query: { assetTid: tid, t: at } })) pieces.push(piece as Uint8Array<ArrayBuffer>) // prettier-ignore
      const still = URL.createObjectURL(new Blob(pieces, { type: 'image/jpeg' }))
      saveFile(still, `${name.replace(/\.[^.]*$/, '')}-${at}s.jpg`)
    },
    onError: (error) => notifyFailed(w('failed'), error),
  })
  return (
    <Group gap="xs" justify="center">
      {may('update') && (
        <Button variant="default" loading={choose.isPending} onClick={() => choose.mutate(second())}>
          {t('usePoster')}
        </Button>
      )}
      {may('update') && fact(asset, 'posterTime') && (
        <Button variant="subtle" onClick={() => choose.mutate('')}>
          {t('removePoster')}
        </Button>
      )}
      <Button variant="default" loading={save.isPending} onClick={() => save.mutate(second())}>
        {t('downloadStill')}
      </Button>
    </Group>
  )
}

function Sound({ media, name }: { media: Playing; name: string }) {
  const sound = useRef<HTMLAudioElement>(null)
  const [share, setShare] = useState(0)
  const { peaks = [] } = media
  return (
    <Stack className={classes.player} justify="center">
      {peaks.length > 0 && (
        <Waveform
          peaks={peaks}
          share={share}
          onSeek={(to) => {
            const { current } = sound
            if (current && Number.isFinite(current.duration)) current.currentTime = to * current.duration
          }}
        />
      )}
      <audio
        ref={sound}
        src={media.url}
        controls
        preload="metadata"
        aria-label={name}
        onTimeUpdate={({ currentTarget: { currentTime, duration } }) =>
          setShare(duration > 0 ? currentTime / duration : 0)
        }
      />
    </Stack>
  )
}

interface WaveformProps {
  readonly peaks: readonly number[]
  /** How much has been played, from 0 to 1. */
  readonly share: number
  readonly onSeek: (share: number) => void
}
/** A click goes to the moment. The player below does the same for the keyboard, so this is only a picture for others. */
function Waveform({ peaks, share, onSeek }: WaveformProps) {
  const t = useTexts(playerTexts)
  return (
    <svg
      className={classes.wave}
      viewBox={`0 0 ${peaks.length} 100`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('waveform')}
      onClick={({ currentTarget, clientX }) => {
        const { left, width } = currentTarget.getBoundingClientRect()
        onSeek((clientX - left) / width)
      }}
    >
      {peaks.map(
        (peak, i) =>
        // oxlint-disable-next-line react/no-array-index-key -- the bars never change places
        <rect key={i} x={i} y={(100 - Math.max(peak, 1)) / 2} width={0.8} height={Math.max(peak, 1)} data-played={i < share * peaks.length || undefined} />, // prettier-ignore
      )}
    </svg>
  )
}
