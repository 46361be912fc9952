/** The manual's page of settings, from the table that reads them. */
import { manual } from '../../server/src/config.ts'
import { generatedFrom, page, table } from './markdown.ts'

const MiB = 1024 * 1024

export function settingsPage(): string {
  const rows = manual.map((setting) => [
    `\`${setting.env}\`${setting.secret ? ' (secret)' : ''}`,
    setting.default === ''
      ? ''
      : `\`${setting.default}\`${setting.doc.startsWith('Bytes') ? inMiB(setting.default) : ''}`,
    setting.doc.replaceAll('<', '&lt;'),
  ])
  return page(
    '# Settings',
    generatedFrom('server/src/config.ts'),
    'Every setting is an environment variable and has a working default. They are read once, at start; all invalid settings are reported together. `npx kontor config print` shows what is in effect, `npx kontor config check` only checks it.',
    'A secret can also come from a file: `KONTOR_ADMIN_PASSWORD_FILE` names the file that holds `KONTOR_ADMIN_PASSWORD`, and so on.',
    table(['Setting', 'Default', 'Meaning'], rows),
  )
}

const inMiB = (bytes: string) => ` (${Number(bytes) / MiB} MiB)`
