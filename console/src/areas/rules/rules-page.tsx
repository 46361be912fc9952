/** The rules page: the rules on the left, the selected one on the right. */
import { Button, NavLink, Text } from '@mantine/core'
import { IconPlus, IconWand } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '../../object/client.tsx'
import { storedText } from '../../object/stored-text.ts'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Page, Panes } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Detail } from './detail.tsx'
import { RuleForm } from './rule-form.tsx'
import { texts } from './texts.ts'
import { type Rule, useRules } from './use-rules.ts'

export function RulesPage() {
  const t = useTexts(texts)
  const may = useMay()
  const [{ rule: chosen }, go] = useUrlState()
  const [isAdding, setAdding] = useState(false)
  const list = useRules()
  const open = (name: string | undefined) => go({ rule: name }, true)
  const selected = list.data?.find(({ name }) => name === chosen)
  const isEmpty = list.data?.length === 0
  const actions = may('update', 'product') && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      {t('add')}
    </Button>
  )
  return (
    <Page title={t('title')} actions={actions} fill>
      <Panes
        sideLabel={t('list')}
        side={
          <Loaded query={list}>
            {(all) => all.map((one) => <Entry key={one.name} rule={one} isChosen={one === selected} onOpen={open} />)}
          </Loaded>
        }
      >
        {selected ? (
          <Detail key={selected.name} rule={selected} onGone={() => open(undefined)} />
        ) : (
          <Empty icon={IconWand} title={isEmpty ? t('none') : t('choose')}>
            {isEmpty && t('noneBody')}
          </Empty>
        )}
      </Panes>
      {isAdding && <RuleForm onClose={() => setAdding(false)} onStored={open} />}
    </Page>
  )
}

interface EntryProps {
  readonly rule: Rule
  readonly isChosen: boolean
  readonly onOpen: (name: string | undefined) => void
}

function Entry({ rule: { name = '', lastRun, problem }, isChosen, onOpen }: EntryProps) {
  const t = useTexts(texts)
  const format = useFormat()
  const last = lastRun?.state && `${t(lastRun.state)} · ${format.ago(lastRun.createdAt ?? '')}`
  return (
    <NavLink
      component="button"
      active={isChosen}
      aria-current={isChosen ? 'page' : undefined}
      leftSection={<IconWand size={18} aria-hidden />}
      label={name}
      description={
        <Text span size="xs">
          {problem === undefined ? (last ?? t('noRuns')) : t('off', { reason: storedText(problem) })}
        </Text>
      }
      onClick={() => onOpen(name)}
    />
  )
}
