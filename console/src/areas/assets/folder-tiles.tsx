/** The folders directly in the open folder. */
import { UnstyledButton } from '@mantine/core'
import { IconFolder } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTexts } from '../../ui/language.tsx'
import { useChildren } from './directories.tsx'
import { texts } from './texts.ts'
import classes from './assets-page.module.css'

export function FolderTiles({ path, onChoose }: { path: string; onChoose: (path: string) => void }) {
  const t = useTexts(texts)
  const opened = useChildren(useMemo(() => new Set([path]), [path]))
  const folders = opened.get(path) ?? []
  if (folders.length === 0) return null
  return (
    <ul className={classes.folders} aria-label={t('subfolders')}>
      {folders.map((folder) => (
        <li key={folder.path}>
          <UnstyledButton className={classes.folder} onClick={() => onChoose(folder.path)}>
            <IconFolder size={20} stroke={1.6} aria-hidden />
            <span>{folder.name}</span>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  )
}
