/** The refused rows of an import. Their cells are corrected here and imported again. */
import { Button, Group, Paper, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { useClient, useMay } from '../../object/client.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { texts } from './mapping/texts.ts'
import { isRunning, type Transfer, type TransferRow, useRefused, useTransferChange } from './use-transfers.ts'
import { storedText } from '../../object/stored-text.ts'

type Cells = Readonly<Record<number, string>>
/** The corrected cells by row number and position. */
type Corrections = Readonly<Record<number, Cells>>

interface RefusedProps {
  readonly transfer: Transfer
  readonly onSent: (id: string | undefined) => void
}

export function Refused({ transfer, onSent }: RefusedProps) {
  const t = useTexts(texts)
  const may = useMay()
  const { transfers } = useClient()
  const change = useTransferChange()
  const [corrections, setCorrections] = useState<Corrections>({})
  const refused = useRefused(transfer)
  const count = Object.keys(corrections).length
  const params = { id: transfer.id ?? '' }
  const send = (headings: readonly string[], rows: readonly TransferRow[]) =>
    change(async () => {
      const corrected = rows.flatMap(({ row, cells = [] }) => {
        const changes = corrections[Number(row)]
        return changes ? [{ row: Number(row), cells: headings.map((_, i) => changes[i] ?? cells[i] ?? '') }] : []
      })
      const { id = '' } = await transfers.correctRows({ params, body: { rows: corrected } })
      await transfers.controlTransfer({ params: { id, command: 'start' } })
      onSent(id)
    })
  const isEnded = !isRunning(transfer) && transfer.state !== 'paused'
  return (
    <section>
      <Title order={3} mb="xs">
        {t('faults')}
      </Title>
      <Loaded query={refused}>
        {({ headings = [], rows = [] }) => (
          <Stack>
            {rows.map((row) => (
              <RefusedRow
                key={String(row.row)}
                row={row}
                headings={isEnded && may('update', 'product') ? headings : []}
                corrected={corrections[Number(row.row)] ?? {}}
                onChange={(cells) => setCorrections({ ...corrections, [Number(row.row)]: cells })}
              />
            ))}
            {Number(transfer.refused ?? 0) > rows.length && <Text size="sm">{t('moreRefused')}</Text>}
            {count > 0 && (
              <Group>
                <Button onClick={() => void send(headings, rows)}>{t('sendAgain', { count })}</Button>
              </Group>
            )}
          </Stack>
        )}
      </Loaded>
    </section>
  )
}

interface RefusedRowProps {
  readonly row: TransferRow
  /** Empty if rows cannot be corrected here. */
  readonly headings: readonly string[]
  readonly corrected: Cells
  readonly onChange: (cells: Cells) => void
}

function RefusedRow({
  row: { row = 0, tid = '', faults = [], cells = [] },
  headings,
  corrected,
  onChange,
}: RefusedRowProps) {
  // prettier-ignore
  const t = useTexts(texts)
  const [showsAll, setShowsAll] = useState(false)
  const named = new Set(faults.map(({ column }) => column))
  const isUnclear = !headings.some((heading) => named.has(heading))
  const shown = headings.map((_, i) => i).filter((i) => showsAll || isUnclear || named.has(headings[i]))
  return (
    <Paper withBorder p="sm" role="group" aria-label={t('row', { row: String(row) })}>
      <Text fw={600}>{[t('row', { row: String(row) }), tid].filter((text) => text !== '').join(' · ')}</Text>
      {faults.map(({ column, reason }, i) => (
        <Text key={i} size="sm">
          {column !== undefined && (
            <Text span fw={600}>
              {column}
            </Text>
          )}
          {column !== undefined && ': '}
          {storedText(reason ?? '')}
        </Text>
      ))}
      {headings.length > 0 && (
        <>
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} mt="xs">
            {shown.map((i) => (
              <TextInput
                key={i}
                label={headings[i]}
                aria-label={t('correctionOf', { column: headings[i] ?? '', row: String(row) })}
                value={corrected[i] ?? cells[i] ?? ''}
                onChange={(event) => onChange({ ...corrected, [i]: event.currentTarget.value })}
              />
            ))}
          </SimpleGrid>
          {!isUnclear && (
            <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => setShowsAll(!showsAll)}>
              {t(showsAll ? 'fewColumns' : 'allColumns')}
            </Button>
          )}
        </>
      )}
    </Paper>
  )
}
