/** A rule: when it runs, what it does, a preview, and its runs. */
import { Alert, Button, Group, List, Stack, Table, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ChangePreview } from '../../object/bulk/bulk-dialog.tsx'
import type { BulkChange } from '../../object/bulk/operations.ts'
import { OperationText } from '../../object/bulk/operation-text.tsx'
import { isWorking } from '../../object/bulk/use-changes.ts'
import { useClient } from '../../object/client.tsx'
import { ConditionTexts } from '../../object/conditions/condition-texts.tsx'
import { groupOf } from '../../object/conditions/conditions.ts'
import { useAssetAttributes, useAttributes } from '../../object/model.ts'
import { useScheduleText } from '../../object/schedule/schedule-input.tsx'
import { storedText } from '../../object/stored-text.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { confirmDanger } from '../../ui/confirm.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { RuleForm } from './rule-form.tsx'
import { texts } from './texts.ts'
import { type Rule, useRuleChange, useRuns } from './use-rules.ts'

interface DetailProps {
  readonly rule: Rule
  readonly onGone: () => void
}

export function Detail({ rule, onGone }: DetailProps) {
  const t = useTexts(texts)
  const format = useFormat()
  const scheduleText = useScheduleText()
  const [preview, setPreview] = useState<BulkChange>()
  const ofProducts = useAttributes()
  const ofFiles = useAssetAttributes(rule.kind === 'asset')
  const attributes = rule.kind === 'asset' ? ofFiles : ofProducts
  const { name = '', description, owner = '', enabled, problem, nextRunAt, onChange, schedule, after = [] } = rule
  const times = [...(onChange ? [t('afterChange')] : []), ...(schedule ? [scheduleText(schedule)] : [])]
  return (
    <Stack p="md">
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2}>{name}</Title>
          {description !== undefined && <Text>{description}</Text>}
          <Text size="sm">{times.length > 0 ? times.join(' · ') : t('byHand')}</Text>
          <Text size="sm" c="dimmed">
            {t('owner', { name: owner })}
            {nextRunAt !== undefined && ` · ${t('next', { when: format.dateTime(nextRunAt) })}`}
            {!enabled && problem === undefined && ` · ${t('disabled')}`}
            {after.length > 0 && ` · ${t('after', { rules: after.join(', ') })}`}
          </Text>
        </div>
        <Commands rule={rule} onGone={onGone} onPreview={setPreview} />
      </Group>
      {problem !== undefined && (
        <Alert color="red" icon={<IconAlertTriangle />}>
          {t('off', { reason: storedText(problem) })}
        </Alert>
      )}
      <Conditions rule={rule} />
      <section>
        <Title order={3}>{t('operations')}</Title>
        <List size="sm" aria-label={t('operations')}>
          {rule.operations.map((operation, i) => (
            <List.Item key={i}>
              <OperationText kind={rule.kind ?? 'product'} operation={operation} attributes={attributes} />
            </List.Item>
          ))}
        </List>
      </section>
      {preview && <ChangePreview change={preview} attributes={attributes} />}
      <Runs rule={rule} />
    </Stack>
  )
}

function Conditions({ rule: { condition, kind } }: { readonly rule: Rule }) {
  const t = useTexts(texts)
  const group = groupOf(condition)
  return (
    <section>
      <Title order={3}>{t('conditions')}</Title>
      {!group && <Text size="sm">{t('kept')}</Text>}
      {group?.of.length === 0 && <Text size="sm">{t('conditionsHint')}</Text>}
      {group && group.of.length > 0 && <ConditionTexts index={kind === 'asset' ? 'ASSET' : 'PRODUCT'} group={group} />}
    </section>
  )
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function Commands({ rule, onGone, onPreview }: DetailProps & { readonly onPreview: (change: BulkChange) => void }) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const { rules, changes } = useClient()
  const change = useRuleChange()
  const [isEditing, setEditing] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const { name = '', lastRun } = rule
  const params = { name }
  const look = async () => {
    setBusy(true)
    await change(async () => {
      let found = await rules.previewRule({ params })
      const { id = '' } = found
      do {
        await pause(300)
        found = await changes.getChange({ params: { id } })
      } while (isWorking(found))
      onPreview(found)
    })
    setBusy(false)
  }
  const remove = () =>
    confirmDanger({
      title: t('deleteTitle'),
      body: t('deleteBody'),
      confirm: w('delete'),
      cancel: w('cancel'),
      onConfirm: () => void change(() => rules.deleteRule({ params })).then((isDone) => isDone && onGone()),
    })
  return (
    <Group gap="xs">
      <Button variant="default" loading={isBusy} onClick={() => void look()}>
        {t('preview')}
      </Button>
      <ActionButton disabled={lastRun?.state === 'running'} action={() => change(() => rules.runRule({ params }))}>
        {t('run')}
      </ActionButton>
      <Button variant="default" onClick={() => setEditing(true)}>
        {t('edit')}
      </Button>
      <Button variant="light" color="red" onClick={remove}>
        {w('delete')}
      </Button>
      {isEditing && <RuleForm rule={rule} onClose={() => setEditing(false)} onStored={() => {}} />}
    </Group>
  )
}

function Runs({ rule }: { readonly rule: Rule }) {
  const t = useTexts(texts)
  const format = useFormat()
  const runs = useRuns(rule)
  return (
    <section>
      <Title order={3} mb="xs">
        {t('runs')}
      </Title>
      <Loaded query={runs}>
        {(found) =>
          found.length === 0 ? (
            <Text c="dimmed">{t('noRuns')}</Text>
          ) : (
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('started')}</Table.Th>
                  <Table.Th>{t('state')}</Table.Th>
                  <Table.Th>{t('changed')}</Table.Th>
                  <Table.Th>{t('unchanged')}</Table.Th>
                  <Table.Th>{t('refused')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {found.map(
                  ({ id = '', state = 'ready', createdAt = '', changed = 0, unchanged = 0, refused = 0, problem }) => (
                    <Table.Tr key={id}>
                      <Table.Td>{format.dateTime(createdAt)}</Table.Td>
                      <Table.Td>
                        {t(state)}
                        {problem !== undefined && ` · ${problem}`}
                        {state !== 'previewed' && (
                          <>
                            {' · '}
                            <Link to="/changes" search={{ change: id }}>
                              {t('show')}
                            </Link>
                          </>
                        )}
                      </Table.Td>
                      <Table.Td>{Number(changed)}</Table.Td>
                      <Table.Td>{Number(unchanged)}</Table.Td>
                      <Table.Td>{Number(refused)}</Table.Td>
                    </Table.Tr>
                  ),
                )}
              </Table.Tbody>
            </Table>
          )
        }
      </Loaded>
    </section>
  )
}
