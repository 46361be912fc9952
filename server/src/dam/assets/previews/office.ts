/**
 * Converts Office documents to PDF with LibreOffice. Each conversion has its own profile, which blocks external
 * references, active content and macros.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import type { Order } from './message.ts'
import { fromPdf } from './pdf.ts'
import type { Picture } from './picture.ts'
import { runIn } from './sandbox.ts'

const forbidden = ['BlockUntrustedRefererLinks', 'DisableMacrosExecution', 'DisableActiveContent']
const settings = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">${forbidden
  .map(
    (name) =>
      `<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="${name}" oor:op="fuse"><value>true</value></prop></item>`,
  )
  .join('')}</oor:items>`

export async function fromOffice(order: Order): Promise<Picture | undefined> {
  const { file, name, folder, tools, sandbox } = order
  if (!tools.soffice) return undefined
  const source = join(folder, `source${extname(name)}`)
  await writeFile(source, await readFile(file))
  const profile = join(folder, 'profile')
  await mkdir(join(profile, 'user'), { recursive: true })
  await writeFile(join(profile, 'user', 'registrymodifications.xcu'), settings)
  const options = ['--headless', '--norestore', `-env:UserInstallation=file://${profile}`]
  await runIn(sandbox, [tools.soffice, ...options, '--convert-to', 'pdf', '--outdir', folder, source])
  return fromPdf(join(folder, `${basename(source, extname(source))}.pdf`), order)
}
