/** A seat in the hall and who has it, and the sales by date and grade. */
export const seatOwner = {
  free: 'This seat is available. No one holds it or has bought it.',
  states: { AVAILABLE: 'Available', HELD: 'Held', SOLD: 'Sold' },
  reservation: 'All seats of the reservation',
  heldUntil: 'Held until',
  openPayment: 'Show the payment',
  openReservation: 'Show the reservation',
};

export const breakdown = {
  byGrade: 'Sales by grade',
  byDate: 'Sales by date',
  grade: 'Grade',
  date: 'Date',
  sold: 'Sold',
  held: 'Held',
  free: 'Available',
  sales: 'Revenue',
};
