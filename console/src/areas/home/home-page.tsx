/** The first page: where to go. */
import { Page } from '../../ui/page.tsx'

export function HomePage() {
  return <Page title="Home">Hello</Page>
}
