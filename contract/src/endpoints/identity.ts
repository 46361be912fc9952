/** The identity area: one's own account and tokens; for administrators users, groups, roles, clients and the audit log. */
import { area } from '../endpoint.ts'
import {
  AuditEntryList,
  ClientAccount,
  ClientAccountChange,
  ClientAccountList,
  GroupNames,
  NewClientAccount,
  NewPersonalToken,
  NewUserAccount,
  PasswordChange,
  PasswordReset,
  Person,
  PersonalToken,
  PersonalTokenList,
  ProfileChange,
  RecoveryCodes,
  RoleNames,
  ShownPassword,
  TwoFactorCode,
  TwoFactorSecret,
  TwoFactorState,
  UserAccount,
  UserAccountChange,
  UserAccountList,
  UserGroup,
  UserGroupChange,
  UserGroupList,
  UserRole,
  UserRoleChange,
  UserRoleList,
} from '../schema/identity.ts'

/** For everybody who may do anything at all. */
const own = { access: 'user', formats: 'json', own: true, needs: { action: 'read' } } as const
const admin = { access: 'admin', formats: 'json', own: true } as const
const list = [200, 401, 403] as const
const read = [200, 401, 403, 404] as const
const write = [200, 400, 401, 403, 404, 409] as const

// prettier-ignore
export const identity = area({
  base: '/api/v1/identity',
  doc: 'Who one is and what one may do, personal tokens; users, groups, roles, clients and the audit log for administrators.',
  resources: {},
  routes: {
    me:             { ...own, doc: 'Who the caller is and what they may do.', method: 'GET', path: '/me', reply: Person, statuses: [200, 401] },
    changeMe:       { ...own, doc: 'Changes the name and address that others see of the caller.', method: 'PATCH', path: '/me', request: ProfileChange, reply: Person, statuses: [200, 400, 401] },
    changePassword: { ...own, doc: 'Changes the password of the caller.', method: 'POST', path: '/me/password', request: PasswordChange, statuses: [200, 400, 401, 429] },
    getTwoFactor:   { ...own, doc: 'Whether the caller signs in with a second factor.', method: 'GET', path: '/me/two-factor', reply: TwoFactorState, statuses: [200, 401] },
    beginTwoFactor: { ...own, doc: 'Makes a secret for an authenticator app. It is asked for when it is confirmed.', method: 'POST', path: '/me/two-factor', reply: TwoFactorSecret, statuses: [200, 400, 401, 409] },
    confirmTwoFactor: { ...own, doc: 'Turns the second factor on, with a code that proves that the app has the secret.', method: 'PUT', path: '/me/two-factor', request: TwoFactorCode, reply: RecoveryCodes, statuses: [200, 400, 401, 404, 409] },
    removeTwoFactor: { ...own, doc: 'Turns the second factor off, with a code.', method: 'POST', path: '/me/two-factor/remove', request: TwoFactorCode, statuses: [200, 400, 401, 429] },
    listTokens:     { ...own, doc: 'The personal tokens of the caller.', method: 'GET', path: '/tokens', reply: PersonalTokenList, statuses: [200, 401] },
    createToken:    { ...own, doc: 'Makes a personal token; the reply is the only place that has it.', method: 'POST', path: '/tokens', request: NewPersonalToken, reply: PersonalToken, statuses: [200, 400, 401] },
    revokeToken:    { ...own, doc: 'Ends a personal token of the caller.', method: 'DELETE', path: '/tokens/{id}', statuses: [200, 401, 404] },

    listUsers:      { ...admin, doc: 'Users by name.', method: 'GET', path: '/users', reply: UserAccountList, statuses: [200, 400, 401, 403],
                      query: { search: 'A part of the name, the display name or the e-mail address.', role: 'Only who has this role, by themselves or through a group.', group: 'Only members of this group.', enabled: 'true or false: only who can sign in, or only who cannot.', after: 'Only users after this name, for the next page.', count: 'At most so many; 100 by default, 1000 at most.' } },
    createUser:     { ...admin, doc: 'Makes a user.', method: 'POST', path: '/users', request: NewUserAccount, reply: ShownPassword, statuses: write },
    getUser:        { ...admin, doc: 'One user.', method: 'GET', path: '/users/{id}', reply: UserAccount, statuses: read },
    changeUser:     { ...admin, doc: 'Changes a user, enables or disables them.', method: 'PATCH', path: '/users/{id}', request: UserAccountChange, reply: UserAccount, statuses: write },
    getUserAccess:  { ...admin, doc: 'What a user may see and do: all their roles, and what these allow together.', method: 'GET', path: '/users/{id}/access', reply: Person, statuses: read },
    listUserTokens: { ...admin, doc: 'The personal tokens of a user.', method: 'GET', path: '/users/{id}/tokens', reply: PersonalTokenList, statuses: read },
    revokeUserToken:{ ...admin, doc: 'Ends a personal token of a user.', method: 'DELETE', path: '/users/{id}/tokens/{token}', statuses: read },
    resetPassword:  { ...admin, doc: 'Sets a password that must be changed at the next sign-in, and ends all sessions.', method: 'POST', path: '/users/{id}/password', request: PasswordReset, requestOptional: true, reply: ShownPassword, statuses: write },
    setUserRoles:   { ...admin, doc: 'Gives a user these roles, in place of those before.', method: 'PUT', path: '/users/{id}/roles', request: RoleNames, reply: UserAccount, statuses: write },
    setUserGroups:  { ...admin, doc: 'Puts a user into these groups, in place of those before.', method: 'PUT', path: '/users/{id}/groups', request: GroupNames, reply: UserAccount, statuses: write },
    resetTwoFactor: { ...admin, doc: 'Turns the second factor of a user off who has lost it.', method: 'DELETE', path: '/users/{id}/two-factor', statuses: read },
    unlockUser:     { ...admin, doc: 'Lets a user sign in again who failed too often.', method: 'POST', path: '/users/{id}/unlock', statuses: read },
    logoutUser:     { ...admin, doc: 'Ends all sessions and tokens of a user.', method: 'POST', path: '/users/{id}/logout', statuses: read },

    listGroups:     { ...admin, doc: 'Groups by name.', method: 'GET', path: '/groups', reply: UserGroupList, statuses: list },
    putGroup:       { ...admin, doc: 'Makes a group, or makes it so.', method: 'PUT', path: '/groups/{name}', request: UserGroupChange, reply: UserGroup, statuses: write },
    deleteGroup:    { ...admin, doc: 'Removes a group; its members lose the roles it brought.', method: 'DELETE', path: '/groups/{name}', statuses: [...read, 409] },
    listRoles:      { ...admin, doc: 'Roles by name, with what they allow.', method: 'GET', path: '/roles', reply: UserRoleList, statuses: list },
    putRole:        { ...admin, doc: 'Makes a role, or makes it so.', method: 'PUT', path: '/roles/{name}', request: UserRoleChange, reply: UserRole, statuses: write },
    deleteRole:     { ...admin, doc: 'Removes a role from all who have it.', method: 'DELETE', path: '/roles/{name}', statuses: [200, 400, 401, 403, 404] },

    listClients:    { ...admin, doc: 'Clients of the identity provider.', method: 'GET', path: '/clients', reply: ClientAccountList, statuses: list },
    createClient:   { ...admin, doc: 'Makes a client with a secret, which the reply shows once.', method: 'POST', path: '/clients', request: NewClientAccount, reply: ClientAccount, statuses: write },
    changeClient:   { ...admin, doc: 'Changes a client, enables or disables it, or renews its secret.', method: 'PATCH', path: '/clients/{id}', request: ClientAccountChange, reply: ClientAccount, statuses: write },

    listAudit:      { ...admin, doc: 'Events of the audit log, newest first.', method: 'GET', path: '/audit', reply: AuditEntryList, statuses: [200, 400, 401, 403],
                      query: { actor: 'Only what this user did.', action: 'Only this action, or those that begin with it: user matches user.create.', object: 'Only what was done to this.', from: 'Not before this moment.', to: 'Before this moment.', before: 'Only events with a lower number, for the next page.', count: 'At most so many; 100 by default, 1000 at most.' } },
  },
})
