/** `npm run docs`: writes the documents that are generated from code; with --check, only lists those that differ. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { areas, openapi } from '@kontor/contract'
import { format } from 'prettier'
import { errorsPage } from './docs/errors.ts'
import { eventsPage } from './docs/events.ts'
import { formatsPage } from './docs/formats.ts'
import { interfacePage } from './docs/interface.ts'
import { metadataTagsPage } from './docs/metadata-tags.ts'
import { postmanCollection } from './docs/postman.ts'
import { settingsPage } from './docs/settings.ts'

interface GeneratedPage {
  /** Relative to the root of the repository. */
  readonly file: string
  readonly text: string
}

export async function generatedDocs(): Promise<GeneratedPage[]> {
  const { version } = JSON.parse(readFileSync(pathOf('package.json'), 'utf8')) as { version: string }
  const document = openapi(areas, { version })
  const pages = {
    'docs/openapi.json': JSON.stringify(document),
    'docs/kontor.postman_collection.json': JSON.stringify(postmanCollection(document)),
    'docs/reference/interface.md': interfacePage(document),
    'docs/reference/formats.md': formatsPage(document),
    'docs/reference/errors.md': errorsPage(document),
    'docs/reference/events.md': eventsPage(document),
    'docs/reference/metadata-tags.md': metadataTagsPage(),
    'docs/reference/settings.md': settingsPage(),
  }
  return Promise.all(
    Object.entries(pages).map(async ([file, text]) => {
      const parser = file.endsWith('.json') ? 'json' : 'markdown'
      return { file, text: await format(text, { parser, printWidth: 120, embeddedLanguageFormatting: 'off' }) }
    }),
  )
}

export const isUpToDate = ({ file, text }: GeneratedPage): boolean =>
  existsSync(pathOf(file)) && readFileSync(pathOf(file), 'utf8') === text

const pathOf = (file: string) => new URL(`../${file}`, import.meta.url)

if (import.meta.main) {
  const outdated = (await generatedDocs()).filter((page) => !isUpToDate(page))
  const isCheck = process.argv.includes('--check')
  for (const { file, text } of outdated) {
    console.log(isCheck ? `${file} is out of date: run npm run docs` : `wrote ${file}`)
    if (isCheck) continue
    mkdirSync(new URL('.', pathOf(file)), { recursive: true })
    writeFileSync(pathOf(file), text)
  }
  if (isCheck && outdated.length > 0) process.exitCode = 1
}
