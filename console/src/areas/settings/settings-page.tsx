/** Settings: the user's own account, and the administration for administrators. Each part has its own address (?part=). */
import { NavLink, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ComponentType, lazy, type LazyExoticComponent, Suspense } from 'react'
import { useMe } from '../../object/client.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Page, Panes, useTabTitle } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { texts } from './texts.ts'

/** A part is loaded when somebody goes there. */
const part = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  lazy(async () => ({ default: (await load())[name] }))

const account = {
  profile: part(() => import('./profile.tsx'), 'ProfilePart'),
  tokens: part(() => import('./tokens.tsx'), 'TokensPart'),
}

/** By group: parts of this page, and pages elsewhere by their address. */
const administration = {
  people: {
    users: part(() => import('./users.tsx'), 'UsersPart'),
    groups: part(() => import('./groups.tsx'), 'GroupsPart'),
    roles: part(() => import('./roles.tsx'), 'RolesPart'),
    clients: part(() => import('./clients.tsx'), 'ClientsPart'),
  },
  setup: {
    locales: part(() => import('./locales.tsx'), 'LocalesPart'),
    units: part(() => import('./units.tsx'), 'UnitsPart'),
    currencies: part(() => import('./units.tsx'), 'CurrenciesPart'),
    model: '/model',
    relationTypes: part(() => import('./relation-types.tsx'), 'RelationTypesPart'),
    assetAttributes: '/model?tab=files',
    channelTypes: '/model?tab=channelTypes',
    storages: part(() => import('./storages.tsx'), 'StoragesPart'),
    renditions: part(() => import('./renditions.tsx'), 'RenditionsPart'),
    profiles: part(() => import('./profiles.tsx'), 'ProfilesPart'),
    feeds: '/feeds',
    workflows: '/workflow?part=definitions',
  },
  operation: {
    system: part(() => import('./system.tsx'), 'SystemPart'),
    care: part(() => import('./care.tsx'), 'CarePart'),
    statistics: part(() => import('./file-statistics.tsx'), 'StatisticsPart'),
    indexes: part(() => import('./indexes.tsx'), 'IndexesPart'),
    jobs: part(() => import('./jobs.tsx'), 'JobsPart'),
    webhooks: part(() => import('./webhooks.tsx'), 'WebhooksPart'),
    audit: part(() => import('./audit.tsx'), 'AuditPart'),
  },
} as const
type Part = LazyExoticComponent<ComponentType>
type Target = Part | string
type Group = 'mine' | keyof typeof administration
type PartName = keyof typeof account | { [G in keyof typeof administration]: keyof (typeof administration)[G] }[keyof typeof administration] // prettier-ignore

export function SettingsPage() {
  const t = useTexts(texts)
  const { roles = [] } = useMe()
  const [{ part: wanted = 'profile' }, change] = useUrlState()
  const groups: Partial<Record<Group, Readonly<Record<string, Target>>>> = roles.includes('admin')
    ? { mine: account, ...administration }
    : { mine: account }
  const entries = Object.values(groups).flatMap((group) => Object.entries(group))
  const [name, Chosen] = entries.find((entry): entry is [string, Part] => entry[0] === wanted && typeof entry[1] !== 'string') ?? ['profile', account.profile] // prettier-ignore
  useTabTitle(t(name as PartName))
  return (
    <Page fill title={t('title')}>
      <Panes
        sideLabel={t('title')}
        side={
          <Stack gap={0} p="xs">
            {Object.entries(groups).map(([group, targets]) => (
              <Stack key={group} gap={0} mb="sm">
                <Text size="xs" c="dimmed" px="sm" py={4}>
                  {t(group as Group)}
                </Text>
                {Object.entries(targets).map(([one, target]) =>
                  typeof target === 'string' ? (
                    <NavLink
                      key={one}
                      label={t(one as PartName)}
                      renderRoot={(props) => <Link {...props} {...toLink(target)} />}
                    />
                  ) : (
                    <NavLink
                      key={one}
                      component="button"
                      label={t(one as PartName)}
                      active={one === name}
                      aria-current={one === name ? 'page' : undefined}
                      onClick={() => change({ part: one }, true)}
                    />
                  ),
                )}
              </Stack>
            ))}
          </Stack>
        }
      >
        <Suspense fallback={<Loading />}>
          <Chosen key={name} />
        </Suspense>
      </Panes>
    </Page>
  )
}

function toLink(address: string): { to: string; search: Record<string, string> } {
  const [to = '', query = ''] = address.split('?')
  return { to, search: Object.fromEntries(new URLSearchParams(query)) }
}
