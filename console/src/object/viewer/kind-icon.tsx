/** An icon by file type, for assets without a preview. */
import {
  IconBox,
  IconFile,
  IconFileText,
  IconFileTypePdf,
  IconLayout,
  IconMovie,
  IconMusic,
  IconPhoto,
  IconPrinter,
  type Icon,
} from '@tabler/icons-react'

const icons: Record<string, Icon> = {
  IMG: IconPhoto,
  VID: IconMovie,
  AUD: IconMusic,
  PDF: IconFileTypePdf,
  OFFICE: IconFileText,
  DOC: IconFileText,
  PREPRESS: IconPrinter,
  LAYOUT: IconLayout,
  C3D: IconBox,
  C360: IconBox,
}

export function KindIcon({ type = '', size }: { type?: string | undefined; size: number }) {
  const Symbol = icons[type] ?? IconFile
  return <Symbol size={size} stroke={1.3} color="var(--quiet)" aria-hidden />
}
