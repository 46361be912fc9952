/** Starts the console: opens a session, then renders the app. */
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { createClient } from '@kontor/sdk'
import { openSession } from './app/session.ts'

const root = createRoot(document.getElementById('root')!)
const session = await openSession()
// Without a session the browser is already being redirected to the identity provider.
if (session) {
  const client = createClient({ baseUrl: location.origin, tokens: session.tokens })
  root.render(<App client={client} session={session} />)
}
