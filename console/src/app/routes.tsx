/** The pages of the console and their URLs. A page is loaded when somebody goes there, or is about to. */
import type { Client } from '@kontor/sdk'
import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  retainSearchParams,
  type RouteComponent,
} from '@tanstack/react-router'
import type { Prefetch, PrefetchContext } from '../object/prefetch.ts'
import { Failure, Loading } from '../ui/states.tsx'
import type { UrlState } from '../ui/url-state.ts'
import { Frame } from './frame.tsx'
import { NotFound } from './not-found.tsx'

export const createConsoleRouter = (client: Client, queries: QueryClient) =>
  createRouter({
    routeTree: createRouteTree(),
    context: { client, queries },
    defaultPreload: 'intent',
    // A click answers at once: the sketch of the page replaces the old one as soon as loading takes longer than a frame or
    // two, and is itself replaced as soon as the page is there.
    defaultPendingComponent: () => <Loading shape="page" />,
    defaultPendingMs: 50,
    defaultPendingMinMs: 0,
    defaultErrorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} />,
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}

function createRouteTree() {
  const root = createRootRouteWithContext<PrefetchContext>()({
    component: Frame,
    notFoundComponent: NotFound,
    validateSearch: (fields: UrlState): UrlState => fields,
    search: { middlewares: [retainSearchParams(['loc'])] }, // links keep the content language
  })
  /** A page by its path, its module and the name of its component; `$name` is a variable part of the path. */
  const page = <const Path extends string, Name extends string>(
    path: Path,
    load: () => Promise<Record<Name, RouteComponent> & { prefetch?: Prefetch }>,
    name: Name,
  ) =>
    createRoute({
      getParentRoute: () => root,
      path,
      component: lazyRouteComponent(load, name),
      // The page does not wait for its data: it shows what is there, and a sketch of the rest.
      loader: ({ context, params, location }) =>
        void load().then(
          ({ prefetch }) => prefetch?.(context, { ...location.search, ...params }),
          () => undefined, // the component reports that its module cannot be loaded
        ),
    })
  return root.addChildren([
    page('/', () => import('../areas/home/home-page.tsx'), 'HomePage'),
    page('/products', () => import('../areas/products/products-page.tsx'), 'ProductsPage'),
    page('/products/$tid', () => import('../areas/products/editor/product-page.tsx'), 'ProductPage'),
    page('/assets', () => import('../areas/assets/assets-page.tsx'), 'AssetsPage'),
    page('/assets/near-duplicates', () => import('../areas/assets/near-duplicates-page.tsx'), 'NearDuplicatesPage'),
    page('/assets/trash', () => import('../areas/assets/trash-page.tsx'), 'TrashPage'),
    page('/assets/$tid', () => import('../areas/assets/asset-page.tsx'), 'AssetPage'),
    page('/search', () => import('../areas/search/search-page.tsx'), 'SearchPage'),
    page('/channels', () => import('../areas/channels/channels-page.tsx'), 'ChannelsPage'),
    page('/changes', () => import('../areas/changes/changes-page.tsx'), 'ChangesPage'),
    page('/transfers', () => import('../areas/transfers/transfers-page.tsx'), 'TransfersPage'),
    page('/feeds', () => import('../areas/feeds/feeds-page.tsx'), 'FeedsPage'),
    page('/sharing', () => import('../areas/sharing/sharing-page.tsx'), 'SharingPage'),
    page('/rules', () => import('../areas/rules/rules-page.tsx'), 'RulesPage'),
    page('/messages', () => import('../areas/messages/messages-page.tsx'), 'MessagesPage'),
    page('/glossaries', () => import('../areas/glossaries/glossaries-page.tsx'), 'GlossariesPage'),
    page('/keywords', () => import('../areas/keywords/keywords-page.tsx'), 'KeywordsPage'),
    page('/model', () => import('../areas/model/model-page.tsx'), 'ModelPage'),
    page('/api-reference', () => import('../areas/api/api-page.tsx'), 'ApiPage'),
    page('/settings', () => import('../areas/settings/settings-page.tsx'), 'SettingsPage'),
    page('/tasks', () => import('../areas/tasks/tasks-page.tsx'), 'TasksPage'),
    page('/tasks/$id', () => import('../areas/tasks/task-page.tsx'), 'TaskPage'),
    page('/workflow', () => import('../areas/workflow/workflow-page.tsx'), 'WorkflowPage'),
  ])
}

/** Only strings, and no empty ones. */
function stringifySearch(fields: Record<string, unknown>): string {
  const given = Object.entries(fields).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  )
  const text = new URLSearchParams(given).toString()
  return text && `?${text}`
}
