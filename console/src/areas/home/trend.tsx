/** Completeness over time: a line per channel, drawn as SVG, and the same numbers as a table. */
import { Group, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useClient } from '../../object/client.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { baseOf, type Line, plot, toPath, toPoints } from './chart.ts'
import { Hint, Panel } from './panel.tsx'
import { texts } from './texts.ts'
import { percentOf, useTopReadiness } from './use-readiness.ts'
import classes from './home.module.css'

const days = 90
const mostLines = 5
const dayMs = 24 * 3_600_000

/** The recorded days of the top channels, ended by their readiness of now. */
function useTrend() {
  const { cm } = useClient()
  const { data: channels } = useTopReadiness()
  const tids = channels?.slice(0, mostLines).map(({ tid }) => tid) ?? []
  return useQuery({
    queryKey: ['readiness', 'history', tids],
    enabled: channels !== undefined,
    queryFn: async (): Promise<{ isRestricted: boolean; lines: readonly Line[] }> => {
      if (tids.length === 0) return { isRestricted: false, lines: [] }
      const { isRestricted = false, channels: past = [] } = await cm.retrieveReadinessHistory({
        body: { tids, count: days },
      })
      const today = new Date().toISOString().slice(0, 10)
      const lines = (channels ?? []).slice(0, mostLines).flatMap(({ tid, name, locales }): Line[] => {
        const recorded = toPoints(past.find((one) => one.tid === tid)?.days ?? [], today)
        const now = percentOf(locales)
        if (now === undefined) return []
        return [{ key: tid, label: name, points: [...recorded.filter(({ ago }) => ago > 0), { ago: 0, percent: now }] }]
      })
      return { isRestricted, lines }
    },
  })
}

export function Trend() {
  const t = useTexts(texts)
  const trend = useTrend()
  return (
    <Panel title={t('trend')} to="/channels">
      <Loaded query={trend}>
        {({ isRestricted, lines }) => {
          if (isRestricted) return <Hint>{t('trendRestricted')}</Hint>
          if (lines.length === 0) return <Hint>{t('noPlacesHint')}</Hint>
          const isNew = lines.every(({ points }) => points.length < 2)
          return (
            <>
              <Chart lines={lines} />
              {isNew && <Hint>{t('trendNew')}</Hint>}
              <Numbers lines={lines} />
            </>
          )
        }}
      </Loaded>
    </Panel>
  )
}

function Chart({ lines }: { readonly lines: readonly Line[] }) {
  const t = useTexts(texts)
  const format = useFormat()
  const oldest = Math.max(1, ...lines.flatMap(({ points }) => points.map(({ ago }) => ago)))
  const base = baseOf(lines)
  const { width, height, left, right, top, bottom } = plot
  const steps = [base, Math.round((base + 100) / 2), 100]
  const yOf = (percent: number) => toPath([{ ago: 0, percent }], 1, base)[0]!.y
  return (
    <>
      <svg role="img" aria-label={t('trendLabel')} viewBox={`0 0 ${width} ${height}`} className={classes.chart}>
        {steps.map((percent) => (
          <g key={percent}>
            <line className={classes.rule} x1={left} x2={width - right} y1={yOf(percent)} y2={yOf(percent)} />
            <text className={classes.axis} x={left - 6} y={yOf(percent) + 4} textAnchor="end">
              {percent} %
            </text>
          </g>
        ))}
        <text className={classes.axis} x={left} y={height - bottom + 18}>
          {format.date(new Date(Date.now() - oldest * dayMs).toISOString())}
        </text>
        <text className={classes.axis} x={width - right} y={height - bottom + 18} textAnchor="end">
          {t('today')}
        </text>
        {lines.map(({ key, points }, i) => {
          const path = toPath(points, oldest, base)
          const end = path.at(-1)!
          return (
            <g key={key} className={classes.line} data-line={i}>
              <polyline points={path.map(({ x, y }) => `${x},${y}`).join(' ')} />
              <circle cx={end.x} cy={Math.max(top, end.y)} r={4} />
            </g>
          )
        })}
      </svg>
      <Group gap="md" mt={4}>
        {lines.map(({ key, label, points }, i) => (
          <Group key={key} gap={6} wrap="nowrap">
            <svg width={22} height={10} aria-hidden className={classes.line} data-line={i}>
              <polyline points="0,5 22,5" />
            </svg>
            <Link to="/channels" search={{ channel: key, tab: 'readiness' }} className={classes.legend}>
              {label} {points.at(-1)!.percent} %
            </Link>
          </Group>
        ))}
      </Group>
    </>
  )
}

/** The same numbers for those who cannot see the chart, or want to read them. */
function Numbers({ lines }: { readonly lines: readonly Line[] }) {
  const t = useTexts(texts)
  const format = useFormat()
  const dates = [...new Set(lines.flatMap(({ points }) => points.map(({ ago }) => ago)))].toSorted((a, b) => a - b)
  return (
    <details className={classes.details}>
      <summary>{t('asTable')}</summary>
      <div className={classes.wide}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('day')}</Table.Th>
              {lines.map(({ key, label }) => (
                <Table.Th key={key} scope="col">
                  {label}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {dates.map((ago) => (
              <Table.Tr key={ago}>
                <Table.Th scope="row">
                  {ago === 0 ? t('today') : format.date(new Date(Date.now() - ago * dayMs).toISOString())}
                </Table.Th>
                {lines.map(({ key, points }) => {
                  const point = points.find((one) => one.ago === ago)
                  return <Table.Td key={key}>{point ? `${point.percent} %` : <Text span>–</Text>}</Table.Td>
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </details>
  )
}
