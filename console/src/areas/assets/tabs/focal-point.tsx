/** The focal point of a picture: set by a click on it, used by renditions that crop. */
import { Button, Group, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, type MouseEvent, useState } from 'react'
import { useClient, useMayAt } from '../../../object/client.tsx'
import { fact, toItems } from '../../../object/items.ts'
import { accepted } from '../../../object/records.ts'
import { renditionTexts } from '../../../object/rendition-texts.ts'
import { commonTexts } from '../../../ui/common-texts.ts'
import { useTexts } from '../../../ui/language.tsx'
import { notifyDone, notifyFailed } from '../../../ui/notifications.tsx'
import { type AssetMessage, containerOf, pictureOf, useRefresh } from '../assets.ts'
import classes from '../asset-page.module.css'

type Point = readonly [x: number, y: number]

const step = 0.02
const arrows: Readonly<Record<string, Point>> = {
  ArrowLeft: [-step, 0],
  ArrowRight: [step, 0],
  ArrowUp: [0, -step],
  ArrowDown: [0, step],
}
const bounded = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000

export function FocalPoint({ asset }: { asset: AssetMessage }) {
  const t = useTexts(renditionTexts)
  const w = useTexts(commonTexts)
  const { dam } = useClient()
  const may = useMayAt('asset', 'dir', containerOf(asset))
  const refresh = useRefresh()
  const stored = fact(asset, 'focalPoint')
  const [draft, setDraft] = useState<Point>()
  const save = useMutation({
    mutationFn: (focalPoint: string) =>
      accepted(dam.assets.persist([{ tid: asset.tid!, meta: { itm: toItems({ focalPoint }) } }])),
    onSuccess: () => {
      setDraft(undefined)
      notifyDone(t('focalStored'))
      refresh()
    },
    onError: (error) => notifyFailed(w('failed'), error),
  })
  const picture = pictureOf(asset, 'preview') ?? pictureOf(asset, 'thumbnail')
  if (asset.type !== 'IMG' || !picture || !may('update')) return null
  const point = draft ?? (stored ? (stored.split(',').map(Number) as unknown as Point) : undefined)
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    if (event.detail === 0) return // by the keyboard
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    setDraft([bounded((event.clientX - left) / width), bounded((event.clientY - top) / height)])
  }
  const press = (event: KeyboardEvent) => {
    const move = arrows[event.key]
    if (!move) return
    event.preventDefault()
    const [x, y] = point ?? [0.5, 0.5]
    setDraft([bounded(x + move[0]), bounded(y + move[1])])
  }
  return (
    <div>
      <Title order={2} size="h4" mb={6}>
        {t('focalPoint')}
      </Title>
      <Text size="xs" c="dimmed" mb={6}>
        {t('focalHint')} {!point && t('focalNone')}
      </Text>
      <button type="button" className={classes.focal} aria-label={t('focalPoint')} onClick={click} onKeyDown={press}>
        <img src={picture} alt="" />
        {point && (
          <span
            className={classes.point}
            data-testid="focal point"
            style={{ left: `${point[0] * 100}%`, top: `${point[1] * 100}%` }}
          />
        )}
      </button>
      <Group gap="xs" mt={6}>
        <Button disabled={!draft} loading={save.isPending} onClick={() => save.mutate(draft!.join(','))}>
          {w('save')}
        </Button>
        {stored && (
          <Button variant="default" onClick={() => save.mutate('')}>
            {t('focalRemove')}
          </Button>
        )}
      </Group>
    </div>
  )
}
