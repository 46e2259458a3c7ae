import { acceptInvitationOperation } from './accept-invitation.ts';
import { changePasswordOperation } from './change-password.ts';
import { forgotPasswordOperation } from './forgot-password.ts';
import { loginOperation } from './login.ts';
import { logoutOperation } from './logout.ts';
import { meOperation } from './me.ts';
import { refreshOperation } from './refresh.ts';
import type { Operation } from '../../operation.ts';

export const authOperations: readonly Operation[] = [
  loginOperation,
  refreshOperation,
  logoutOperation,
  meOperation,
  changePasswordOperation,
  forgotPasswordOperation,
  acceptInvitationOperation,
];
