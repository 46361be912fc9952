/**
 * Every place of the console: its address, its name and symbol, and the page that is loaded when one goes there.
 * The router, the sidebar and the command palette read this table. Places without a group are reached from others.
 */
import {
  type Icon,
  IconApi,
  IconBook2,
  IconBox,
  IconBroadcast,
  IconChecklist,
  IconHome,
  IconMail,
  IconPhoto,
  IconRoute,
  IconSearch,
  IconSettings,
  IconSitemap,
  IconTag,
  IconTransfer,
  IconTrash,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { placeTexts } from './texts.ts'

export type PlaceName = keyof (typeof placeTexts)['en']
export interface Place {
  /** `$name` is a part that varies. */
  readonly path: string
  readonly name: PlaceName
  readonly icon: Icon
  readonly group?: 'work' | 'content' | 'language' | 'setup'
  /** Who sees it in the sidebar: anybody, when absent. */
  readonly needs?: 'admin'
  readonly load: () => Promise<ComponentType>
}

// prettier-ignore
export const places: readonly Place[] = [
  { path: '/', name: 'home', icon: IconHome, group: 'work', load: () => import('../areas/home/home-page.tsx').then((page) => page.HomePage) },
  { path: '/products', name: 'products', icon: IconBox, group: 'content', load: () => import('../areas/products/products-page.tsx').then((page) => page.ProductsPage) },
  { path: '/products/$tid', name: 'product', icon: IconBox, load: () => import('../areas/products/editor/product-page.tsx').then((page) => page.ProductPage) },
  { path: '/assets', name: 'assets', icon: IconPhoto, group: 'content', load: () => import('../areas/assets/assets-page.tsx').then((page) => page.AssetsPage) },
  { path: '/assets/trash', name: 'trash', icon: IconTrash, load: () => import('../areas/assets/trash-page.tsx').then((page) => page.TrashPage) },
  { path: '/assets/$tid', name: 'asset', icon: IconPhoto, load: () => import('../areas/assets/asset-page.tsx').then((page) => page.AssetPage) },
  { path: '/search', name: 'search', icon: IconSearch, group: 'work', load: () => import('../areas/search/search-page.tsx').then((page) => page.SearchPage) },
  { path: '/channels', name: 'channels', icon: IconBroadcast, group: 'content', load: () => import('../areas/channels/channels-page.tsx').then((page) => page.ChannelsPage) },
  { path: '/transfers', name: 'transfers', icon: IconTransfer, group: 'content', load: () => import('../areas/transfers/transfers-page.tsx').then((page) => page.TransfersPage) },
  { path: '/messages', name: 'messages', icon: IconMail, group: 'work', load: () => import('../areas/messages/messages-page.tsx').then((page) => page.MessagesPage) },
  { path: '/glossaries', name: 'glossaries', icon: IconBook2, group: 'language', load: () => import('../areas/glossaries/glossaries-page.tsx').then((page) => page.GlossariesPage) },
  { path: '/keywords', name: 'keywords', icon: IconTag, group: 'language', load: () => import('../areas/keywords/keywords-page.tsx').then((page) => page.KeywordsPage) },
  { path: '/model', name: 'model', icon: IconSitemap, group: 'setup', load: () => import('../areas/model/model-page.tsx').then((page) => page.ModelPage) },
  { path: '/api-reference', name: 'api', icon: IconApi, group: 'setup', load: () => import('../areas/api/api-page.tsx').then((page) => page.ApiPage) },
  { path: '/settings', name: 'settings', icon: IconSettings, group: 'setup', load: () => import('../areas/settings/settings-page.tsx').then((page) => page.SettingsPage) },
  { path: '/tasks', name: 'tasks', icon: IconChecklist, group: 'work', load: () => import('../areas/tasks/tasks-page.tsx').then((page) => page.TasksPage) },
  { path: '/tasks/$id', name: 'task', icon: IconChecklist, load: () => import('../areas/tasks/task-page.tsx').then((page) => page.TaskPage) },
  { path: '/workflow', name: 'workflow', icon: IconRoute, group: 'work', load: () => import('../areas/workflow/workflow-page.tsx').then((page) => page.WorkflowPage) },
]

export const groups = ['work', 'content', 'language', 'setup'] as const
