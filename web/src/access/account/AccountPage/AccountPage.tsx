import { useUser } from '../../../people/users/use-user.ts';
import page from '../../../ui/Page.module.css';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Initials } from '../../../ui/Initials/Initials.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { nameRole } from '../../../ui/words/words.ts';
import { AppearanceSection } from './AppearanceSection.tsx';
import classes from '../Account.module.css';
import { AccountSection } from '../AccountSections/AccountSection.tsx';
import { CredentialsSection } from './CredentialsSection.tsx';
import { DevicesSection } from './DevicesSection.tsx';
import { PasskeysSection } from './PasskeysSection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { ProvidersSection } from './ProvidersSection.tsx';
import { SessionsSection } from '../AccountSections/SessionsSection.tsx';
import { TotpSection } from '../AccountSections/TotpSection.tsx';
import { SettingsSection } from '../AccountSections/SettingsSection.tsx';
import { words } from '../words/words/words.ts';

/** A place for what is one's own. */
export function AccountPage() {
  return (
    <div className={page.stack}>
      <PageHead title={words.title} lead={words.lead} />
      <div className={classes.sections}>
        <NameSection />
        <DevicesSection />
        <SettingsSection />
        <AppearanceSection />
        <CredentialsSection />
        <PasskeysSection />
        <TotpSection />
        <ProvidersSection />
        <PasswordSection />
        <SessionsSection />
      </div>
    </div>
  );
}

function NameSection() {
  const user = useUser();
  if (!user) return null;
  return (
    <AccountSection name="name" title={words.name}>
      <p>
        <Initials id={user.id} name={user.name} />
        <strong>
          <Revealed text={user.name} />
        </strong>
        <span className={classes.second}>
          <Revealed text={user.email} /> · {nameRole(user.role)}
        </span>
      </p>
      <p className={page.small}>{words.nameNote}</p>
    </AccountSection>
  );
}
