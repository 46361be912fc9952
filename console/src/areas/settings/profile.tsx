/** The signed-in user's own name and address, password, and second factor. */
import { Anchor, Button, Code, ScrollArea, Stack, Text, TextInput, Title } from '@mantine/core'
import { type Infer, PasswordChange, ProfileChange } from '@kontor/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useClient, useMe } from '../../object/client.tsx'
import { ObjectForm } from '../../object/form.tsx'
import { useLabels } from '../../object/labels.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { useAttempt } from './attempt.ts'
import { OneTimeSecret } from '../../ui/one-time-secret.tsx'
import { texts } from './texts.ts'

export function ProfilePart() {
  return (
    <ScrollArea h="100%" p="lg" viewportProps={{ tabIndex: 0 }}>
      <Stack gap={40} maw={520}>
        <PersonalData />
        <Password />
        <SecondFactor />
      </Stack>
    </ScrollArea>
  )
}

interface SectionProps {
  readonly title: string
  readonly submitLabel: string
  readonly canSubmit: boolean
  readonly onSubmit: () => unknown
  readonly children: ReactNode
}

function Section({ title, submitLabel, canSubmit, onSubmit, children }: SectionProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void onSubmit()
      }}
    >
      <Stack gap="sm">
        <Title order={2}>{title}</Title>
        {children}
        <Button type="submit" disabled={!canSubmit}>
          {submitLabel}
        </Button>
      </Stack>
    </form>
  )
}

function PersonalData() {
  const w = useTexts(commonTexts)
  const { name = '', displayName = '', email = '' } = useMe()
  const { identity } = useClient()
  const attempt = useAttempt()
  const queries = useQueryClient()
  const [value, setValue] = useState<Infer<typeof ProfileChange>>({ displayName, email })
  const save = async () => {
    await attempt(identity.changeMe({ body: value }))
    await queries.invalidateQueries({ queryKey: ['me'] })
  }
  return (
    <Section
      title={name}
      submitLabel={w('save')}
      canSubmit={value.displayName !== displayName || value.email !== email}
      onSubmit={save}
    >
      <ObjectForm
        type={ProfileChange}
        value={value}
        onChange={setValue}
        labelOf={useLabels(texts)}
        fields={{ displayName: {}, email: { inputType: 'email' } }}
      />
    </Section>
  )
}

function Password() {
  const t = useTexts(texts)
  const { identity } = useClient()
  const attempt = useAttempt()
  const [value, setValue] = useState<Infer<typeof PasswordChange>>({ current: '', password: '' })
  return (
    <Section
      title={t('password')}
      submitLabel={t('changePassword')}
      canSubmit={value.current !== '' && value.password.length >= 12}
      onSubmit={() => attempt(identity.changePassword({ body: value }), t('passwordChanged'))}
    >
      <ObjectForm
        type={PasswordChange}
        value={value}
        onChange={setValue}
        labelOf={useLabels(texts)}
        fields={{
          current: { inputType: 'password', autoComplete: 'current-password' },
          password: {
            label: t('newPassword'),
            description: t('passwordHint'),
            inputType: 'password',
            autoComplete: 'new-password',
          },
        }}
      />
    </Section>
  )
}

function SecondFactor() {
  const t = useTexts(texts)
  const { identity } = useClient()
  const attempt = useAttempt()
  const [begun, setBegun] = useState<{ secret?: string; uri?: string }>()
  const [code, setCode] = useState('')
  const [codes, setCodes] = useState<readonly string[]>()
  const state = useQuery({ queryKey: ['settings', 'two-factor'], queryFn: () => identity.getTwoFactor() })
  const begin = async () => setBegun(await attempt(identity.beginTwoFactor(), t('secret')))
  const confirm = async () => {
    const confirmed = await attempt(identity.confirmTwoFactor({ body: { code } }), t('turnedOn'))
    if (!confirmed) return
    setCodes(confirmed.codes ?? [])
    setBegun(undefined)
    setCode('')
  }
  const turnOff = async () => {
    await attempt(identity.removeTwoFactor({ body: { code } }), t('turnedOff'))
    setCode('')
  }
  const codeField = (
    <TextInput
      label={t('code')}
      inputMode="numeric"
      autoComplete="one-time-code"
      value={code}
      onChange={(event) => setCode(event.currentTarget.value)}
    />
  )
  return (
    <Stack gap="sm">
      <Title order={2}>{t('twoFactor')}</Title>
      {codes && (
        <OneTimeSecret title={t('recoveryCodes')} secret={codes.join('\n')} onClose={() => setCodes(undefined)} />
      )}
      <Loaded query={state}>
        {({ enabled, recoveryCodes = 0 }) =>
          enabled ? (
            <>
              <Text size="sm">{t('twoFactorOn', { count: recoveryCodes })}</Text>
              {codeField}
              <Button color="red" variant="light" disabled={code === ''} onClick={() => void turnOff()}>
                {t('turnOff')}
              </Button>
            </>
          ) : begun ? (
            <>
              <Text size="sm">{t('secret')}</Text>
              <Code block>{begun.secret}</Code>
              <Anchor href={begun.uri} size="sm">
                {t('openApp')}
              </Anchor>
              {codeField}
              <Button disabled={code === ''} onClick={() => void confirm()}>
                {t('confirm')}
              </Button>
            </>
          ) : (
            <>
              <Text size="sm">{t('twoFactorOff')}</Text>
              <Button variant="default" onClick={() => void begin()}>
                {t('turnOn')}
              </Button>
            </>
          )
        }
      </Loaded>
    </Stack>
  )
}
