/** The pages that the sidebar and the command palette offer. */
import {
  IconApi,
  IconBook2,
  IconBox,
  IconBroadcast,
  IconChecklist,
  IconHome,
  IconMail,
  IconPhoto,
  IconRoute,
  IconRss,
  IconSearch,
  IconSettings,
  IconShare,
  IconSitemap,
  IconTag,
  IconTransfer,
  IconWand,
} from '@tabler/icons-react'

export const groups = ['work', 'content', 'language', 'setup'] as const

export const destinations = [
  { path: '/', name: 'home', icon: IconHome, group: 'work' },
  { path: '/products', name: 'products', icon: IconBox, group: 'content' },
  { path: '/assets', name: 'assets', icon: IconPhoto, group: 'content' },
  { path: '/sharing', name: 'sharing', icon: IconShare, group: 'content' },
  { path: '/search', name: 'search', icon: IconSearch, group: 'work' },
  { path: '/channels', name: 'channels', icon: IconBroadcast, group: 'content' },
  { path: '/transfers', name: 'transfers', icon: IconTransfer, group: 'content' },
  { path: '/feeds', name: 'feeds', icon: IconRss, group: 'content' },
  { path: '/rules', name: 'rules', icon: IconWand, group: 'content' },
  { path: '/messages', name: 'messages', icon: IconMail, group: 'work' },
  { path: '/glossaries', name: 'glossaries', icon: IconBook2, group: 'language' },
  { path: '/keywords', name: 'keywords', icon: IconTag, group: 'language' },
  { path: '/model', name: 'model', icon: IconSitemap, group: 'setup' },
  { path: '/api-reference', name: 'api', icon: IconApi, group: 'setup' },
  { path: '/settings', name: 'settings', icon: IconSettings, group: 'setup' },
  { path: '/tasks', name: 'tasks', icon: IconChecklist, group: 'work' },
  { path: '/workflow', name: 'workflow', icon: IconRoute, group: 'work' },
] as const
export type Destination = (typeof destinations)[number]
