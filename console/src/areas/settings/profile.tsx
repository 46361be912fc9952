/** Who one is to others, one's password, and the second factor. */
import { Anchor, Button, Code, PasswordInput, ScrollArea, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient, useMe } from '../../object/client.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { words } from '../../ui/words.ts'
import { useAttempt } from './attempt.ts'
import { Once } from './once.tsx'
import { texts } from './texts.ts'

export function ProfilePart() {
  return (
    <ScrollArea h="100%" p="lg" viewportProps={{ tabIndex: 0 }}>
      <Stack gap={40} maw={520}>
        <Person />
        <Password />
        <SecondFactor />
      </Stack>
    </ScrollArea>
  )
}

function Person() {
  const t = useTexts(texts)
  const w = useTexts(words)
  const me = useMe()
  const { identity } = useClient()
  const attempt = useAttempt()
  const queries = useQueryClient()
  const [displayName, setDisplayName] = useState(me.displayName ?? '')
  const [email, setEmail] = useState(me.email ?? '')
  const save = async () => {
    await attempt(identity.changeMe({ body: { displayName, email } }))
    await queries.invalidateQueries({ queryKey: ['me'] })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Stack gap="sm">
        <Title order={2}>{me.name}</Title>
        <TextInput
          label={t('displayName')}
          value={displayName}
          onChange={(event) => setDisplayName(event.currentTarget.value)}
        />
        <TextInput
          label={t('email')}
          type="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Button type="submit" disabled={displayName === (me.displayName ?? '') && email === (me.email ?? '')}>
          {w('save')}
        </Button>
      </Stack>
    </form>
  )
}

function Password() {
  const t = useTexts(texts)
  const { identity } = useClient()
  const attempt = useAttempt()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void attempt(identity.changePassword({ body: { current, password } }), t('passwordChanged'))
      }}
    >
      <Stack gap="sm">
        <Title order={2}>{t('password')}</Title>
        <PasswordInput
          label={t('currentPassword')}
          autoComplete="current-password"
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <PasswordInput
          label={t('newPassword')}
          description={t('passwordHint')}
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" disabled={current === '' || password.length < 12}>
          {t('changePassword')}
        </Button>
      </Stack>
    </form>
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
    const made = await attempt(identity.confirmTwoFactor({ body: { code } }), t('turnOn'))
    if (!made) return
    setCodes(made.codes ?? [])
    setBegun(undefined)
    setCode('')
  }
  const turnOff = async () => {
    await attempt(identity.removeTwoFactor({ body: { code } }), t('turnOff'))
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
      {codes && <Once title={t('recoveryCodes')} secret={codes.join('\n')} onClose={() => setCodes(undefined)} />}
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
              <Button variant="light" onClick={() => void begin()}>
                {t('turnOn')}
              </Button>
            </>
          )
        }
      </Loaded>
    </Stack>
  )
}
