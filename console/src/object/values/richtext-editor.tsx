/** The editor of formatted text. It is loaded when the first one is shown, because it is large. */
import { Input } from '@mantine/core'
import { Link, RichTextEditor } from '@mantine/tiptap'
import { useEditor } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import { useEffect, useMemo } from 'react'
import '@mantine/tiptap/styles.css'
import { useTexts } from '../../ui/language.tsx'
import { richtextTexts } from './richtext-texts.ts'

interface RichtextEditorProps {
  readonly value: string
  readonly onText: (html: string) => void
  readonly label?: string | undefined
  readonly 'aria-label'?: string | undefined
  readonly disabled?: boolean | undefined
  readonly autoFocus?: boolean | undefined
  readonly error?: string | undefined
}

export default function RichtextEditor({ value, onText, label, disabled = false, ...props }: RichtextEditorProps) {
  const t = useTexts(richtextTexts)
  const name = label ?? props['aria-label'] ?? ''
  const extensions = useMemo(() => [StarterKit.configure({ link: false }), Link], [])
  const editor = useEditor({
    extensions,
    content: value,
    editable: !disabled,
    autofocus: props.autoFocus ?? false,
    shouldRerenderOnTransaction: true,
    editorProps: { attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': name } },
    onUpdate: ({ editor: changed }) => onText(changed.isEmpty ? '' : changed.getHTML()),
  })
  // The value also changes from outside: another language, an undone edit, a newer version.
  useEffect(() => {
    if (value !== (editor.isEmpty ? '' : editor.getHTML())) editor.commands.setContent(value, { emitUpdate: false })
  }, [editor, value])
  useEffect(() => editor.setEditable(!disabled, false), [editor, disabled])
  const labels = {
    boldControlLabel: t('bold'),
    italicControlLabel: t('italic'),
    underlineControlLabel: t('underline'),
    clearFormattingControlLabel: t('clear'),
    h2ControlLabel: t('heading'),
    h3ControlLabel: t('subheading'),
    bulletListControlLabel: t('bullets'),
    orderedListControlLabel: t('numbers'),
    linkControlLabel: t('link'),
    unlinkControlLabel: t('unlink'),
    linkEditorInputLabel: t('address'),
    linkEditorInputPlaceholder: 'https://',
    linkEditorExternalLink: t('newTab'),
    linkEditorInternalLink: t('sameTab'),
    linkEditorSave: t('setLink'),
  }
  return (
    <Input.Wrapper label={label} error={props.error}>
      <RichTextEditor editor={editor} labels={labels}>
        {!disabled && (
          <RichTextEditor.Toolbar>
            <RichTextEditor.ControlsGroup>
              <RichTextEditor.Bold />
              <RichTextEditor.Italic />
              <RichTextEditor.Underline />
              <RichTextEditor.ClearFormatting />
            </RichTextEditor.ControlsGroup>
            <RichTextEditor.ControlsGroup>
              <RichTextEditor.H2 />
              <RichTextEditor.H3 />
              <RichTextEditor.BulletList />
              <RichTextEditor.OrderedList />
            </RichTextEditor.ControlsGroup>
            <RichTextEditor.ControlsGroup>
              <RichTextEditor.Link />
              <RichTextEditor.Unlink />
            </RichTextEditor.ControlsGroup>
          </RichTextEditor.Toolbar>
        )}
        <RichTextEditor.Content />
      </RichTextEditor>
    </Input.Wrapper>
  )
}
