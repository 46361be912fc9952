/** The briefing of a channel: each page with its boxes, drawn to scale, and a table of the boxes for screen readers. */
import { Alert, Stack, Table, Text, TextInput, Title } from '@mantine/core'
import { IconLayout2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../object/client.tsx'
import { useContentLocale } from '../../object/locales.ts'
import { emptyWhenNotFound } from '../../object/not-found.ts'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Empty, Loaded } from '../../ui/states.tsx'
import { type Sheet, type SheetBox, toSheets } from './briefing.ts'
import type { Channel } from './channels.ts'
import { texts } from './texts.ts'
import classes from './channels.module.css'

export function BriefingTab({ channel }: { channel: Channel }) {
  const t = useTexts(texts)
  const { cm } = useClient()
  const [locale] = useContentLocale()
  const [{ briefing: config }, change] = useUrlState()
  const briefing = useQuery({
    queryKey: ['channels', 'briefing', channel.tid, locale, config],
    queryFn: async () => {
      const briefingInfo = { locale, ...(config && { briefingModuleCfgTid: config }) }
      const body = { tids: [channel.tid!], briefingInfo }
      return toSheets(await cm.retrieveBriefing({ body }).catch(emptyWhenNotFound({ layout: [] })))
    },
    retry: false,
  })
  // with several configurations, the error names them and the user chooses one here
  const isAmbiguous = (briefing.error as { status?: number } | null)?.status === 400
  return (
    <Stack gap="lg">
      {(isAmbiguous || config) && (
        <TextInput
          label={t('config')}
          defaultValue={config ?? ''}
          maw={420}
          onBlur={({ currentTarget }) => change({ briefing: currentTarget.value }, true)}
          onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
        />
      )}
      {isAmbiguous ? (
        <Alert color="amber">{briefing.error?.message}</Alert>
      ) : (
        <Loaded query={briefing}>
          {(sheets) =>
            sheets.length === 0 ? (
              <Empty icon={IconLayout2} title={t('noBriefing')}>
                {t('noBriefingBody')}
              </Empty>
            ) : (
              sheets.map((sheet, i) => <SheetView key={sheet.key} sheet={sheet} number={i + 1} />)
            )
          }
        </Loaded>
      )}
    </Stack>
  )
}

function SheetView({ sheet, number }: { sheet: Sheet; number: number }) {
  const t = useTexts(texts)
  const format = useFormat()
  const name = sheet.name || t('page', { number })
  const [width, height] = [format.number(sheet.width), format.number(sheet.height)]
  return (
    <section className={classes.sheet}>
      <figure className={classes.figure}>
        <Drawing sheet={sheet} label={t('sheet', { name, width, height })} />
        <Text component="figcaption" size="xs" c="dimmed" ta="center" mt={6}>
          {width} × {height} · {t('scale')}
        </Text>
      </figure>
      <Stack gap="xs" flex={1} miw={280}>
        <Title order={3}>{name}</Title>
        {sheet.note && <Text size="sm">{sheet.note}</Text>}
        {sheet.boxes.length === 0 ? <Text c="dimmed">{t('noBoxes')}</Text> : <Boxes boxes={sheet.boxes} />}
      </Stack>
    </section>
  )
}

/** Font sizes are relative to the page, so that they do not depend on its unit. */
function Drawing({ sheet: { width, height, boxes }, label }: { sheet: Sheet; label: string }) {
  if (width <= 0 || height <= 0) return null
  const unit = Math.max(width, height) / 100
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${width} ${height}`} className={classes.drawing}>
      <rect className={classes.paper} width={width} height={height} />
      {boxes.map((box, i) => (
        <g key={box.key}>
          <title>{`${i + 1} ${box.name}`}</title>
          <rect className={classes.box} x={box.x} y={box.y} width={box.width} height={box.height} />
          <text className={classes.boxName} x={box.x + unit} y={box.y + 3.6 * unit} fontSize={2.8 * unit}>
            {i + 1} {box.name}
          </text>
        </g>
      ))}
    </svg>
  )
}

function Boxes({ boxes }: { boxes: readonly SheetBox[] }) {
  const t = useTexts(texts)
  const format = useFormat()
  const columns = ['box', 'layer', 'position', 'size'] as const
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column) => (
            <Table.Th key={column} scope="col">
              {t(column)}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {boxes.map((box, i) => (
          <Table.Tr key={box.key}>
            <Table.Td>
              {i + 1} {box.name}
              {box.type && box.type !== box.name && ` (${box.type})`}
            </Table.Td>
            <Table.Td>{box.layer}</Table.Td>
            <Table.Td>
              {format.number(box.x)} / {format.number(box.y)}
            </Table.Td>
            <Table.Td>
              {format.number(box.width)} × {format.number(box.height)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
