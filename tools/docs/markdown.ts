/** Markdown of generated documents. Layout is left to prettier. */

/** The line that tells people not to edit. */
export const generatedFrom = (source: string) => `<!-- Made from ${source} by npm run docs: change it there. -->`

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll(/(?<!\\)\|/g, '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

export const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``
export const page = (...blocks: readonly string[]) => blocks.join('\n\n')
