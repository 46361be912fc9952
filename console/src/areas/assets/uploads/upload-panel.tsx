/** The panel of running uploads at the bottom of the page: overall and individual progress, and questions to answer. */
import { ActionIcon, Badge, Button, Group, Paper, Progress, ScrollArea, Stack, Text, Tooltip } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import { LinkDialog } from '../../../object/bulk/link-dialog.tsx'
import { patternTexts } from '../../../object/bulk/pattern-texts.ts'
import { useClient, useMay } from '../../../object/client.tsx'
import { useFormat } from '../../../ui/format.ts'
import { useTexts } from '../../../ui/language.tsx'
import { texts } from '../texts.ts'
import type { Stage, Upload, UploadQueue } from './queue.ts'
import classes from './upload-panel.module.css'

const colors: Partial<Record<Stage, string>> = {
  done: 'teal',
  duplicate: 'amber',
  exists: 'amber',
  refused: 'red',
  paused: 'gray',
  skipped: 'gray',
}
const stageTexts = {
  waiting: 'waiting',
  checking: 'checking',
  duplicate: 'duplicate',
  sending: 'sending',
  paused: 'paused',
  done: 'done',
  exists: 'exists',
  refused: 'refusedUpload',
  skipped: 'skipped',
} as const satisfies Record<Stage, string>

export function UploadPanel({ queue, uploads }: { queue: UploadQueue; uploads: readonly Upload[] }) {
  const t = useTexts(texts)
  if (uploads.length === 0) return null
  const done = uploads.filter(({ stage }) => stage === 'done').length
  const size = uploads.reduce((sum, upload) => sum + upload.size, 0)
  const sent = uploads.reduce((sum, upload) => sum + upload.sent, 0)
  return (
    <Paper className={classes.panel} shadow="lg" role="region" aria-label={t('uploads')}>
      <Group justify="space-between" p="sm" pb={6}>
        <Text fw={600} size="sm" role="status">
          {t('uploading', { done, count: uploads.length })}
        </Text>
        <Group gap={4}>
          <LinkUploaded uploads={uploads} />
          <Button size="compact-xs" variant="subtle" onClick={queue.clear}>
            {t('clearDone')}
          </Button>
        </Group>
      </Group>
      <Progress value={size === 0 ? 0 : (sent / size) * 100} size="sm" mx="sm" aria-label={t('uploads')} />
      <ScrollArea.Autosize
        mah={280}
        p="sm"
        type="auto"
        viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': t('uploads') }}
      >
        <Stack gap={8}>
          {[...uploads]
            .sort(byUrgency)
            .slice(0, 200)
            .map((upload) => (
              <Row key={upload.id} upload={upload} queue={queue} />
            ))}
        </Stack>
      </ScrollArea.Autosize>
    </Paper>
  )
}

const unfinished = new Set<Stage>(['waiting', 'checking', 'sending'])

/** When several files were uploaded, offers to link them to products. */
function LinkUploaded({ uploads }: { uploads: readonly Upload[] }) {
  const t = useTexts(patternTexts)
  const { dam } = useClient()
  const may = useMay()
  const [isLinking, setLinking] = useState(false)
  const done = uploads.filter(({ stage }) => stage === 'done')
  const selection = useCallback(async () => {
    const byFolder = Map.groupBy(
      uploads.filter(({ stage }) => stage === 'done'),
      ({ target }) => target,
    )
    const tids: string[] = []
    for (const [path, files] of byFolder) {
      const found = await dam.assets.query({ directory: { path }, fileNames: files.map(({ name }) => name) })
      tids.push(...(found.tids ?? []))
    }
    return { tids }
  }, [uploads, dam])
  if (done.length < 2 || uploads.some(({ stage }) => unfinished.has(stage)) || !may('link', 'product')) return null
  return (
    <>
      <Button size="compact-xs" variant="default" onClick={() => setLinking(true)}>
        {t('afterUpload')}
      </Button>
      {isLinking && <LinkDialog selection={selection} onClose={() => setLinking(false)} />}
    </>
  )
}

/** Questions first, then running uploads, then the rest. */
const urgency: Stage[] = [
  'duplicate',
  'exists',
  'refused',
  'sending',
  'checking',
  'paused',
  'waiting',
  'done',
  'skipped',
]
const byUrgency = (a: Upload, b: Upload) => urgency.indexOf(a.stage) - urgency.indexOf(b.stage)

function Row({ upload, queue }: { upload: Upload; queue: UploadQueue }) {
  const t = useTexts(texts)
  const format = useFormat()
  const { name, stage, size, sent, duplicatePath = '', reason } = upload
  const detail =
    reason ??
    (stage === 'sending'
      ? `${format.bytes(sent)} / ${format.bytes(size)}`
      : t(stageTexts[stage], { path: duplicatePath }))
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" truncate title={upload.target + name}>
          {name}
        </Text>
        <Group gap={4} wrap="nowrap">
          <Answers upload={upload} queue={queue} />
          <Badge size="sm" variant="light" color={colors[stage] ?? 'harbour'}>
            {stage === 'sending'
              ? format.percent(size === 0 ? 1 : sent / size)
              : t(stage === 'duplicate' || stage === 'exists' ? 'waiting' : stageTexts[stage])}
          </Badge>
        </Group>
      </Group>
      {stage !== 'done' && stage !== 'waiting' && (
        <Text size="xs" c={stage === 'refused' ? 'red' : 'dimmed'} lineClamp={2}>
          {detail}
        </Text>
      )}
    </div>
  )
}

function Answers({ upload: { id, name, stage }, queue }: { upload: Upload; queue: UploadQueue }) {
  const t = useTexts(texts)
  if (stage === 'duplicate' || stage === 'exists')
    return (
      <>
        <Button size="compact-xs" variant="subtle" onClick={() => queue.resume(id, stage === 'exists')}>
          {t(stage === 'exists' ? 'overwrite' : 'uploadAnyway')}
        </Button>
        <Button size="compact-xs" variant="subtle" onClick={() => queue.skip(id)}>
          {t('skip')}
        </Button>
      </>
    )
  const icon = (label: string, Symbol: typeof IconX, onClick: () => void) => (
    <Tooltip label={label}>
      <ActionIcon size="sm" variant="subtle" color="gray" aria-label={`${label}: ${name}`} onClick={onClick}>
        <Symbol size={14} />
      </ActionIcon>
    </Tooltip>
  )
  if (stage === 'sending') return icon(t('pause'), IconPlayerPause, () => queue.pause(id))
  if (stage === 'paused' || stage === 'refused')
    return (
      <>
        {icon(t('resume'), IconPlayerPlay, () => queue.resume(id))}
        {icon(t('cancelUpload'), IconX, () => queue.skip(id))}
      </>
    )
  return null
}
