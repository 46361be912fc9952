/** The right side of the top bar. It is loaded after the page: menus and tooltips need code that a first page does not. */
import { AccountMenu } from './account-menu.tsx'
import { Appearance, Inbox } from './bar.tsx'
import { Help } from './help.tsx'
import { LocaleChoice } from './locale-choice.tsx'

export function BarTools() {
  return (
    <>
      <LocaleChoice />
      <Inbox />
      <Help />
      <Appearance />
      <AccountMenu />
    </>
  )
}
