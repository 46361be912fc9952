/** The few pages people see: sign in, sign out, and what went wrong. Static, without scripts, everything escaped. */
import { html, type Html } from './html.ts'

export interface Page {
  readonly html: string
  readonly policy: string
}

const mark = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
  <path d="M6 5h6v9l9-9h8L17 16l12 11h-8l-9-8.5V27H6z" />
</svg>`

/** `stylesheet` is the address of login.css; `formTargets` the origins to which a form's answer may lead. */
export function createPages(stylesheet: string) {
  const page = (title: string, body: Html, formTargets: readonly string[] = []): Page => ({
    html: html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${title} · Kontor</title>
          <link rel="stylesheet" href="${stylesheet}" />
        </head>
        <body>
          <main>${mark}${body}</main>
        </body>
      </html> `.html,
    policy: [
      "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
      `form-action ${["'self'", ...formTargets].join(' ')}`,
    ].join('; '),
  })

  return {
    /** The form posts to its own address, which names the sign-in under way. */
    signIn: ({ name, fault, formTargets }: { name?: string; fault?: string; formTargets: readonly string[] }) =>
      page(
        'Sign in',
        html`<h1>Sign in</h1>
          ${fault === undefined ? undefined : html`<p class="fault" role="alert">${fault}</p>`}
          <form method="post">
            <label for="username">User name</label>
            <input
              id="username"
              name="username"
              value="${name}"
              autocomplete="username"
              autocapitalize="none"
              spellcheck="false"
              maxlength="255"
              required
              autofocus
            />
            <label for="password">Password</label>
            <input
              id="password"
              name="password"
              type="password"
              autocomplete="current-password"
              maxlength="512"
              required
            />
            <button type="submit">Sign in</button>
          </form>`,
        formTargets,
      ),
    /** `form` is the provider's own, with the token against forgery in it; the buttons belong to it. */
    signOut: (form: string, formTargets: readonly string[]) =>
      page(
        'Sign out',
        html`<h1>Sign out?</h1>
          <p>Every application you opened in this browser with this account is signed out too.</p>
          ${{ html: form }}
          <button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>
          <button type="submit" form="op.logoutForm" class="quiet">Stay signed in</button>`,
        formTargets,
      ),
    signedOut: () =>
      page(
        'Signed out',
        html`<h1>You are signed out</h1>
          <p>You can close this window.</p>`,
      ),
    fault: (description: string) =>
      page(
        'Not possible',
        html`<h1>This did not work</h1>
          <p class="fault" role="alert">${description}</p>
          <p>Go back to the application and try again.</p>`,
      ),
  }
}

/** Where the answer to a form may lead in the end; browsers hold redirects against form-action too. */
export const formTargetsOf = (address: unknown): string[] =>
  typeof address === 'string' && URL.canParse(address) ? [new URL(address).origin] : []

export type Pages = ReturnType<typeof createPages>
