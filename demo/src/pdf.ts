/**
 * A tiny PDF writer for the demo's data sheets: pages of text in the built-in Helvetica, with lines and filled boxes.
 * Texts are encoded in WinAnsi, which is enough for English, German and French.
 */
export interface Page {
  text(x: number, y: number, size: number, text: string, bold?: boolean): void
  box(x: number, y: number, width: number, height: number, paint: readonly [number, number, number]): void
}

export const pageWidth = 595
export const pageHeight = 842

/** Calls `draw` for each page; coordinates are points from the lower left corner. */
export function toPdf(title: string, pages: readonly ((page: Page) => void)[]): Buffer {
  const bodies = pages.map(contentOf)
  const first = 5
  const kids = bodies.map((_, i) => `${first + i * 2} 0 R`).join(' ')
  const objects: Buffer[] = [
    latin('<< /Type /Catalog /Pages 2 0 R >>'),
    latin(`<< /Type /Pages /Kids [${kids}] /Count ${bodies.length} >>`),
    latin('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'),
    latin('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>'),
    ...bodies.flatMap((body, i) => [
      latin(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${pageWidth} ${pageHeight}] ` +
          `/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents ${first + i * 2 + 1} 0 R >>`,
      ),
      Buffer.concat([latin(`<< /Length ${body.length} >>\nstream\n`), body, latin('\nendstream')]),
    ]),
    latin(`<< /Title ${quoted(title)} /Producer (Kontor demo) >>`),
  ]
  return assemble(objects)
}

/** The numbered objects, and the cross-reference table with their byte offsets. */
function assemble(objects: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [latin('%PDF-1.4\n%âãÏÓ\n')]
  const offsets: number[] = []
  let length = parts[0]!.length
  const add = (part: Buffer) => {
    parts.push(part)
    length += part.length
  }
  objects.forEach((object, i) => {
    offsets.push(length)
    add(Buffer.concat([latin(`${i + 1} 0 obj\n`), object, latin('\nendobj\n')]))
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${length}\n%%EOF\n`
  add(latin(`xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`))
  return Buffer.concat(parts)
}

function contentOf(draw: (page: Page) => void): Buffer {
  const operators: string[] = []
  draw({
    text: (x, y, size, text, bold = false) =>
      void operators.push(`BT /F${bold ? 2 : 1} ${size} Tf ${x} ${y} Td ${quoted(text)} Tj ET`),
    box: (x, y, width, height, paint) =>
      void operators.push(`${paint.join(' ')} rg ${x} ${y} ${width} ${height} re f 0 0 0 rg`),
  })
  return latin(operators.join('\n'))
}

/** Characters of WinAnsi beyond Latin-1 that our texts use. */
const windows: ReadonlyMap<string, string> = new Map([
  ['€', '\x80'],
  ['–', '\x96'],
  ['œ', '\x9c'],
  ['’', '\x92'],
])
const latin = (text: string) => Buffer.from(text, 'latin1')
const quoted = (text: string) =>
  `(${text.replaceAll(/[€–œ’]/g, (sign) => windows.get(sign)!).replaceAll(/[\\()]/g, String.raw`\$&`)})`
