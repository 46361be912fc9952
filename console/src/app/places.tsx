/**
 * Every place of the console: its address, its name and symbol, and the page that is loaded when one goes there.
 * The router, the sidebar and the command palette read this table. Places without a group are reached from others.
 */
import { IconBox, IconHome, type Icon } from '@tabler/icons-react'
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
]

export const groups = ['work', 'content', 'language', 'setup'] as const
