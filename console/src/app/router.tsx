/** Addresses to pages, from the table of places. Pages are loaded when one goes there, or is about to. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  retainSearchParams,
} from '@tanstack/react-router'
import { Failure, Loading } from '../ui/states.tsx'
import { Frame } from './frame.tsx'
import { Nowhere } from './nowhere.tsx'
import { places } from './places.tsx'

type Fields = Record<string, string>

export function createConsoleRouter() {
  const root = createRootRoute({
    component: Frame,
    notFoundComponent: Nowhere,
    validateSearch: (fields: Fields): { loc?: string } => fields,
    search: { middlewares: [retainSearchParams(['loc'])] }, // the content language goes along
  })
  const routes = places.map(({ path, load }) =>
    createRoute({
      getParentRoute: () => root,
      path,
      component: lazyRouteComponent(async () => ({ default: await load() })),
    }),
  )
  return createRouter({
    routeTree: root.addChildren(routes),
    defaultPreload: 'intent',
    defaultPendingComponent: Loading,
    defaultErrorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} />,
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: toText,
  })
}

function toText(fields: Record<string, unknown>): string {
  const given = Object.entries(fields).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  )
  const text = new URLSearchParams(given).toString()
  return text && `?${text}`
}
