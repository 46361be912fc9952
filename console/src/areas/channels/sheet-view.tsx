/** A page of a briefing: its text, and its boxes drawn to scale with a table of them for screen readers. */
import { Stack, Table, Text, Title } from '@mantine/core'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import type { Sheet, SheetBox } from './briefing.ts'
import { briefingTexts } from './briefing-texts.ts'
import classes from './channels.module.css'

export function SheetView({ sheet, number }: { sheet: Sheet; number: number }) {
  const t = useTexts(briefingTexts)
  const format = useFormat()
  const name = sheet.name || t('page', { number })
  const [width, height] = [format.number(sheet.width), format.number(sheet.height)]
  return (
    <section className={classes.sheet}>
      {sheet.width > 0 && sheet.height > 0 && (
        <figure className={classes.figure}>
          <Drawing sheet={sheet} label={t('sheet', { name, width, height })} />
          <Text component="figcaption" size="xs" c="dimmed" ta="center" mt={6}>
            {width} × {height} · {t('scale')}
          </Text>
        </figure>
      )}
      <Stack gap="xs" flex={1} miw={280} maw={760}>
        <Title order={3}>{name}</Title>
        {sheet.note && <Text className={classes.note}>{sheet.note}</Text>}
        {sheet.boxes.length > 0 && <Boxes boxes={sheet.boxes} />}
      </Stack>
    </section>
  )
}

/** Font sizes are relative to the page, so that they do not depend on its unit. */
function Drawing({ sheet: { width, height, boxes }, label }: { sheet: Sheet; label: string }) {
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
  const t = useTexts(briefingTexts)
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
