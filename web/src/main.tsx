import './styles/index.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Pages } from './app/pages.js';
import { Shell } from './app/shell.js';

const root = document.getElementById('app');
if (!root) throw new Error('index.html has no #app element');
createRoot(root).render(
  <StrictMode>
    <Shell>
      <Pages />
    </Shell>
  </StrictMode>,
);
