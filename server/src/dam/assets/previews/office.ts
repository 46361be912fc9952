/**
 * Converts Office documents to PDF with LibreOffice. Each conversion has its own profile, which blocks external
 * references, active content and macros.
 */
import { existsSync } from 'node:fs'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Order } from './message.ts'
import { checkParts, sheetTexts } from './office-texts.ts'
import { fromPdf, pdfTexts } from './pdf.ts'
import type { Picture } from './picture.ts'
import { runIn } from './sandbox.ts'
import { inShort } from './tools.ts'

const forbidden = ['BlockUntrustedRefererLinks', 'DisableMacrosExecution', 'DisableActiveContent']
const settings = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">${forbidden
  .map(
    (name) =>
      `<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="${name}" oor:op="fuse"><value>true</value></prop></item>`,
  )
  .join('')}</oor:items>`

/** The document in another format, in the folder of the order. */
async function convert(order: Order, soffice: string, format: 'pdf' | 'xlsx'): Promise<string> {
  const { file, name, folder, sandbox } = order
  await checkParts(order)
  const source = join(folder, `source${extname(name)}`)
  await copyFile(file, source)
  const profile = join(folder, 'profile')
  await mkdir(join(profile, 'user'), { recursive: true })
  await writeFile(join(profile, 'user', 'registrymodifications.xcu'), settings)
  const options = ['--headless', '--norestore', `-env:UserInstallation=file://${profile}`]
  const command = [soffice, ...options, '--convert-to', format, '--outdir', folder, source]
  await runIn(sandbox, command).catch(inShort(soffice))
  const made = join(folder, `source.${format}`)
  // LibreOffice ends without an error if it cannot read a document.
  if (!existsSync(made)) throw new Error('LibreOffice cannot read the document; it may be damaged or have a password')
  return made
}

export async function fromOffice(order: Order): Promise<Picture | undefined> {
  const { soffice } = order.tools
  return soffice === undefined ? undefined : fromPdf(await convert(order, soffice, 'pdf'), order)
}

/** The text of each page of a document in an old format, which only LibreOffice reads. */
export async function* oldOfficeTexts(order: Order): AsyncGenerator<string> {
  const { soffice } = order.tools
  if (soffice === undefined) throw new Error('the text of documents in this format needs LibreOffice on the server')
  // The PDF of a table has only what fits into its columns.
  const isTable = order.mime === 'application/vnd.ms-excel'
  const file = await convert(order, soffice, isTable ? 'xlsx' : 'pdf')
  yield* isTable ? sheetTexts({ ...order, file }) : pdfTexts({ ...order, file })
}
