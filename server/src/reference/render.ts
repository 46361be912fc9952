/** The program of the thread that renders the description of the interface. */
import { readFileSync } from 'node:fs'
import { areas, openapi, xsd } from '@kontor/contract'
import { serveCalls } from '../core/thread.ts'
import { type Installation, referencePage } from './page.ts'

const calls = {
  texts(installation: Installation) {
    const { baseUrl, realm, oidcIssuer: issuer } = installation
    const document = openapi(areas, { version: readVersion(), serverUrl: baseUrl, realm, issuer })
    return { document: JSON.stringify(document), xsd: xsd(), page: referencePage(document, 'docs', installation) }
  },
}
export type RenderCalls = typeof calls

const readVersion = () =>
  (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version

serveCalls(calls)
