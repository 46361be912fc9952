/** Statistics of files by folder, type and age, as tables with bars, and as CSV. */
import { Anchor, Breadcrumbs, Button, Group, Progress, Stack, Table, Text, Title } from '@mantine/core'
import type { FileStatistics, Infer } from '@kontor/contract'
import { IconFileExport } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { careTexts } from '../../object/care-texts.ts'
import { useClient } from '../../object/client.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { Loaded } from '../../ui/states.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { toCsv } from './csv.ts'

type Statistics = Infer<typeof FileStatistics>
const totals = [
  'total',
  'versions',
  'previews',
  'renditions',
  'trash',
  'archived',
  'unlinked',
  'duplicates',
  'stored',
] as const

/** A line of a table: its name in the CSV, how it is shown, and how much it has. */
interface Line {
  readonly name: string
  readonly shown?: ReactNode
  readonly files?: number
  readonly bytes: number
}

export function StatisticsPart() {
  const { care } = useClient()
  const [{ dir: folder = '' }, change] = useUrlState()
  const statistics = useQuery({
    queryKey: ['settings', 'statistics', folder],
    queryFn: () => care.getStatistics(folder ? { query: { folder } } : {}),
  })
  return (
    <Loaded query={statistics}>
      {(data) => <Content data={data} folder={folder} onOpen={(path) => change({ dir: path })} />}
    </Loaded>
  )
}

function Content({ data, folder, onOpen }: { data: Statistics; folder: string; onOpen: (path: string) => void }) {
  const t = useTexts(careTexts)
  const sections = useSections(data, folder, onOpen)
  const save = () => {
    const rows = sections.flatMap(({ title, lines }) =>
      lines.map(({ name, files, bytes }) => [title, name, files === undefined ? '' : String(files), String(bytes)]),
    )
    const file = new Blob([toCsv([['', t('file'), t('count'), 'bytes'], ...rows])], { type: 'text/csv' })
    saveFile(URL.createObjectURL(file), 'files.csv')
  }
  const steps = folder.split('/').slice(1).map((name, i, all) => [name, `/${all.slice(0, i + 1).join('/')}`] as const) // prettier-ignore
  return (
    <Stack p="lg" gap="lg" style={{ overflow: 'auto' }}>
      <Group justify="space-between">
        <Breadcrumbs>
          {([[t('allFolders'), ''], ...steps] as const).map(([name, path]) => (
            <Anchor key={path} component="button" onClick={() => onOpen(path)}>
              {name}
            </Anchor>
          ))}
        </Breadcrumbs>
        <Button variant="default" leftSection={<IconFileExport size={16} />} onClick={save}>
          {t('exportCsv')}
        </Button>
      </Group>
      {sections.map((section) => (
        <Bars key={section.title} {...section} />
      ))}
    </Stack>
  )
}

function useSections(data: Statistics, folder: string, onOpen: (path: string) => void) {
  const t = useTexts(careTexts)
  const amount = ({ files = 0, bytes = 0 }: { files?: number | bigint; bytes?: number | bigint }) => ({
    files: Number(files),
    bytes: Number(bytes),
  })
  const link = (path: string) =>
    path === folder ? path : <Anchor component="button" onClick={() => onOpen(path)}>{path}</Anchor> // prettier-ignore
  const sections: { title: string; lines: Line[] }[] = [
    { title: t('total'), lines: totals.flatMap((name) => (data[name] ? [{ name: t(name), ...amount(data[name]) }] : [])) },
    { title: t('byFolder'), lines: (data.folders ?? []).map((one) => ({ name: one.path ?? '', shown: link(one.path ?? ''), ...amount(one) })) },
    { title: t('byType'), lines: (data.types ?? []).map((one) => ({ name: one.name ?? '', ...amount(one) })) },
    { title: t('byAge'), lines: (data.ages ?? []).map((one) => ({ name: t(`age_${one.fromMonths ?? 0}` as 'age_0'), ...amount(one) })) },
    {
      title: t('largest'),
      lines: (data.largest ?? []).map(({ tid = '', path = '', bytes = 0 }) => ({
        name: path,
        shown: <Anchor renderRoot={(props) => <Link to="/assets/$tid" params={{ tid }} {...props} />}>{path}</Anchor>,
        bytes: Number(bytes),
      })),
    },
  ] // prettier-ignore
  return sections.filter(({ lines }) => lines.length > 0)
}

/** Each bar is a share of the longest one. */
function Bars({ title, lines }: { title: string; lines: readonly Line[] }) {
  const t = useTexts(careTexts)
  const format = useFormat()
  const most = Math.max(1, ...lines.map(({ bytes }) => bytes))
  return (
    <section aria-label={title}>
      <Title order={2} size="h4" mb="xs">
        {title}
      </Title>
      <Table layout="fixed" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{title}</Table.Th>
            <Table.Th w={85}>{t('count')}</Table.Th>
            <Table.Th w={95}>{t('size')}</Table.Th>
            <Table.Th w="25%" visibleFrom="sm" aria-hidden />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map(({ name, shown, files, bytes }) => (
            <Table.Tr key={name}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{shown ?? <Text size="sm">{name}</Text>}</Table.Td>
              <Table.Td>{files === undefined ? '' : format.number(files)}</Table.Td>
              <Table.Td>{format.bytes(bytes)}</Table.Td>
              <Table.Td visibleFrom="sm">
                <Progress value={(bytes / most) * 100} aria-label={`${name}: ${format.bytes(bytes)}`} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}
