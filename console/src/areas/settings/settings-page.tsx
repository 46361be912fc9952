/** Settings: the user's own account, and the administration for administrators. Each part has its own address (?part=). */
import { NavLink, Stack, Text } from '@mantine/core'
import { useMe } from '../../object/client.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Page, Panes, useTabTitle } from '../../ui/page.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { AuditPart } from './audit.tsx'
import { IndexesPart } from './indexes.tsx'
import { JobsPart } from './jobs.tsx'
import { LocalesPart } from './locales.tsx'
import { ProfilePart } from './profile.tsx'
import { RolesPart } from './roles.tsx'
import { StoragesPart } from './storages.tsx'
import { SystemPart } from './system.tsx'
import { texts } from './texts.ts'
import { TokensPart } from './tokens.tsx'
import { UsersPart } from './users.tsx'
import { WebhooksPart } from './webhooks.tsx'

const account = { profile: ProfilePart, tokens: TokensPart }
const administration = {
  users: UsersPart,
  roles: RolesPart,
  locales: LocalesPart,
  storages: StoragesPart,
  indexes: IndexesPart,
  jobs: JobsPart,
  webhooks: WebhooksPart,
  audit: AuditPart,
  system: SystemPart,
}
type PartName = keyof typeof account | keyof typeof administration

export function SettingsPage() {
  const t = useTexts(texts)
  const { roles = [] } = useMe()
  const [{ part = 'profile' }, change] = useUrlState()
  const isAdmin = roles.includes('admin')
  const parts: Partial<Record<PartName, () => React.ReactNode>> = isAdmin ? { ...account, ...administration } : account
  const name = Object.hasOwn(parts, part) ? (part as PartName) : 'profile'
  const Part = parts[name]!
  useTabTitle(t(name))
  const links = (names: readonly string[]) =>
    names.map((one) => (
      <NavLink
        key={one}
        component="button"
        label={t(one as PartName)}
        active={one === name}
        aria-current={one === name ? 'page' : undefined}
        onClick={() => change({ part: one }, true)}
      />
    ))
  return (
    <Page fill title={t('title')}>
      <Panes
        sideLabel={t('title')}
        side={
          <Stack gap={0} p="xs">
            <Text size="xs" c="dimmed" px="sm" py={4}>
              {t('mine')}
            </Text>
            {links(Object.keys(account))}
            {isAdmin && (
              <>
                <Text size="xs" c="dimmed" px="sm" py={4} mt="sm">
                  {t('administration')}
                </Text>
                {links(Object.keys(administration))}
              </>
            )}
          </Stack>
        }
      >
        <Part />
      </Panes>
    </Page>
  )
}
