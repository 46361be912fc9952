/** The composition root of the console: theme, language, query cache, API client and router. */
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import '@mantine/spotlight/styles.css'
import './app.css'
import { MantineProvider } from '@mantine/core'
import type { Client } from '@kontor/sdk'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { ClientContext } from '../object/client.tsx'
import { Dialogs } from '../ui/dialogs.tsx'
import { type Language, LanguageProvider } from '../ui/language.tsx'
import { surfaces, theme } from '../ui/theme.ts'
import { loadLanguage } from './languages.ts'
import { createConsoleRouter } from './routes.tsx'
import type { Session } from './session.ts'
import { SessionContext } from './session-context.ts'

/** Messages are kept in a store until this shows them. */
const Notifications = lazy(async () => ({ default: (await import('@mantine/notifications')).Notifications }))

/**
 * The API client retries calls where that is safe, so the query cache does not retry. Offline, a call fails visibly
 * instead of waiting.
 */
const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: 20_000, refetchOnWindowFocus: true, networkMode: 'always' },
    },
  })

interface AppProps {
  readonly client: Client
  readonly session: Session
  readonly language: Language
}

export function App({ client, session, language }: AppProps) {
  const [queryClient] = useState(createQueryClient)
  const [router] = useState(() => createConsoleRouter(client, queryClient))
  return (
    <MantineProvider theme={theme} cssVariablesResolver={surfaces} defaultColorScheme="auto">
      <LanguageProvider first={language} load={loadLanguage}>
        <QueryClientProvider client={queryClient}>
          <ClientContext value={client}>
            <SessionContext value={session}>
              <Suspense>
                <Dialogs />
                <Notifications position="bottom-right" limit={4} />
              </Suspense>
              <RouterProvider router={router} />
            </SessionContext>
          </ClientContext>
        </QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>
  )
}
