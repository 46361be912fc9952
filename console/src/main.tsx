/** Starts the console: opens a session, then renders the app. */
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { createClient } from '@kontor/sdk'
import { loadPreferred } from './app/languages.ts'
import { openSession } from './app/session.ts'
import { startViewing, viewHeaders } from './app/view-as.ts'
import { deleteOldDrafts } from './object/stored-draft.ts'
import { SignInFailed } from './app/sign-in-failed.tsx'

const root = createRoot(document.getElementById('root')!)
// The texts of the reader's language load while the session opens, so that the first page already has them.
const preferred = loadPreferred()
const session = await openSession().catch(async (error: unknown) => {
  root.render(<SignInFailed error={error} language={await preferred} />)
  return undefined
})
// Without a session, the browser is already being redirected to the identity provider, or signing in has failed.
if (session) {
  deleteOldDrafts()
  const options = { baseUrl: location.origin, tokens: session.tokens }
  const viewing = createClient({ ...options, headers: viewHeaders() })
  const client = (await startViewing(viewing)) ? viewing : createClient(options)
  root.render(<App client={client} session={session} language={await preferred} />)
}
