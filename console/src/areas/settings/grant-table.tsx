/** A table of kinds × actions: what a role may do. Everything that it may do to a kind or by an action is one tick. */
import { Checkbox, ScrollArea, Table, Text } from '@mantine/core'
import { Fragment } from 'react'
import { useTexts } from '../../ui/language.tsx'
import { type Block, stateOf, toggled } from './blocks.ts'
import { grantTexts } from './grant-texts.ts'

const actions = [
  '*',
  'read',
  'create',
  'update',
  'delete',
  'link',
  'checkout',
  'administer',
  'override',
  'share',
] as const

/** The kinds of objects by group. The first group is a row for all kinds. */
const groups = {
  groupAll: ['*'],
  groupProducts: ['product', 'article', 'variant', 'link'],
  groupAssets: ['asset', 'dir', 'version', 'rnc'],
  groupChannels: ['project', 'peo', 'template', 'projectTypes'],
  groupModel: ['classification', 'node', 'attribute', 'attrDefinition', 'attrGroup'],
  groupWords: ['keyword', 'glossary', 'glossaryEntry', 'locale'],
  groupWork: ['workflow', 'message', 'feed', 'rule', 'searchHistory'],
} as const

interface GrantTableProps {
  readonly block: Block
  readonly label: string
  readonly onChange: (block: Block) => void
}

export function GrantTable({ block, label, onChange }: GrantTableProps) {
  const g = useTexts(grantTexts)
  const actionName = (action: (typeof actions)[number]) =>
    g(action === '*' ? 'allActions' : action === 'link' ? 'linkAction' : action)
  return (
    <ScrollArea type="auto" viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': label }}>
      <Table verticalSpacing={4} horizontalSpacing="xs" withRowBorders={false} aria-label={label} miw={680}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{g('kindColumn')}</Table.Th>
            {actions.map((action) => (
              <Table.Th key={action} ta="center" fw={500}>
                {actionName(action)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {Object.entries(groups).map(([group, kinds]) => (
            <Fragment key={group}>
              {group !== 'groupAll' && (
                <Table.Tr>
                  <Table.Th colSpan={actions.length + 1} scope="rowgroup" pt="xs">
                    <Text size="xs" c="dimmed">
                      {g(group as keyof typeof groups)}
                    </Text>
                  </Table.Th>
                </Table.Tr>
              )}
              {kinds.map((kind) => (
                <Table.Tr key={kind}>
                  <Table.Th scope="row" fw={kind === '*' ? 600 : 400}>
                    {g(kind)}
                  </Table.Th>
                  {actions.map((action) => {
                    const state = stateOf(block, kind, action)
                    return (
                      <Table.Td key={action}>
                        <Checkbox
                          size="sm"
                          display="flex"
                          style={{ justifyContent: 'center' }}
                          aria-label={`${g(kind)}: ${actionName(action)}`}
                          checked={state !== 'none'}
                          disabled={state === 'all'}
                          onChange={() => onChange(toggled(block, kind, action))}
                        />
                      </Table.Td>
                    )
                  })}
                </Table.Tr>
              ))}
            </Fragment>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  )
}
